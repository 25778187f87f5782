const TARGETS = 'src/domain/contract/reading/targets/read-deliver.spec.ts';

/** What a contract may say: nothing is served that would be passed over in silence, or that leads where it must not. */
export const GRAMMAR = [
  {
    name: 'words-without-effect',
    promise: 'A contract that says what nothing carries out yet is refused.',
    file: 'src/domain/contract/examine-contract.ts',
    text: 'return examine(text, env, refuseNotThereYet);',
    replacement: 'return examine(text, env, () => undefined);',
    test: { file: TARGETS, title: 'what nothing carries out yet is refused at its place' },
  },
  {
    name: 'private-addresses-of-targets',
    promise: 'An address on this machine or in a private network is taken only where the contract allows it.',
    file: 'src/domain/contract/reading/targets/read-address.ts',
    text: 'isPrivateAllowed || !URL.canParse(address)',
    replacement: 'address !== undefined || !URL.canParse(address)',
    test: { file: TARGETS, title: 'a private address is allowed where the contract says so, and nowhere else' },
  },
  {
    name: 'holes-that-nothing-fills',
    promise: 'A hole in a path or header that means nothing there refuses the contract.',
    file: 'src/domain/contract/reading/targets/read-call-template.ts',
    text: 'return scope.words.includes(hole.kind) ? undefined : misplaced(hole.kind);',
    replacement: 'return undefined;',
    test: {
      file: 'src/domain/contract/reading/targets/holes.property.spec.ts',
      title: 'is taken exactly where each of its holes means something',
      suite: 'a template of a call',
    },
  },
];
