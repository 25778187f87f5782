/** Something to wait for that somebody else opens, once. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function newGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
