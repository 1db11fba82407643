/** A command of `npx latchkey`. */
export interface Command {
  /** The text that `help` shows, ending with a newline. */
  usage: string;
  /** Returns the exit code. Rejects with a `UsageError` for unknown arguments. */
  run(args: string[]): Promise<number>;
  /** The command handles signals itself, because it must remove data that it created elsewhere. */
  cleansUp?: true;
}
