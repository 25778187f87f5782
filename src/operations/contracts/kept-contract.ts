/** A contract that was active, as it is kept; its text apart, which lists leave out. */
export interface KeptContract {
  readonly number: number;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly is_active: boolean;
  readonly first_active_at: string;
  /** When it became active the last time. */
  readonly active_since: string;
  /** Who accepted it although it contradicted what was stored, when, and the number that was active until then. */
  readonly accepted_by: string | null;
  readonly accepted_at: string | null;
  readonly accepted_against: number | null;
}

export type KeptText = KeptContract & { readonly text: string };
