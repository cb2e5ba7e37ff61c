/** Stands for a long list or object that nobody needs yet, and that therefore was measured and not parsed. */
export class UnreadJson {
  constructor(
    readonly isList: boolean,
    /** Elements of lists and members of objects, in total. */
    readonly parts: number,
  ) {}
}
