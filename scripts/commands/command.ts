/** A command of `npx latchkey`. */
export interface Command {
  /** What `help` shows of it, ended by a newline. */
  usage: string;
  /** Gives the exit code. Rejects with a `UsageError` for arguments that it does not understand. */
  run(args: string[]): Promise<number>;
  /** Ends by itself when a signal comes, because something would be left of it elsewhere. */
  cleansUp?: true;
}
