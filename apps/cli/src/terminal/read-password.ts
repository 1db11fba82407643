import { randomBytes } from "node:crypto";
import { stdin, stderr } from "node:process";
import { text } from "node:stream/consumers";
import { openHiddenPrompt } from "./hidden-prompt.ts";
import { Refusal } from "./refusal.ts";

/** The source of a password: standard input, or the user at the terminal. */
export type PasswordSource = "stdin" | "ask";

interface Bounds {
  minPasswordLength: number;
  maxPasswordLength: number;
}

/** A new password. `isMade` means that it was generated and must be shown. */
interface ReadPassword {
  password: string;
  isMade: boolean;
}

const madeLength = 24;

/** Generates a random password of a length that the options allow. */
export const makePassword = ({ minPasswordLength, maxPasswordLength }: Bounds): string => {
  const length = Math.min(Math.max(madeLength, minPasswordLength), maxPasswordLength);
  // Generates twice as many bytes as needed, so that enough letters and digits remain.
  const characters = randomBytes(2 * length)
    .toString("base64")
    .replaceAll(/[^a-z0-9]/gi, "");
  return characters.slice(0, length);
};

const readLine = async (): Promise<string> => {
  const line = (await text(stdin)).replace(/\r?\n$/, "");
  if (line === "") throw new Refusal("standard input holds no password.");
  if (/[\r\n]/.test(line)) throw new Refusal("standard input holds more than one line.");
  return line;
};

const promptTwice = async (): Promise<string> => {
  const prompt = openHiddenPrompt({ input: stdin, output: stderr });
  try {
    const password = await prompt.ask("Password (leave empty to generate one): ");
    if (password !== "" && (await prompt.ask("Once more: ")) !== password)
      throw new Refusal("the two passwords differ.");
    return password;
  } finally {
    prompt.close();
  }
};

const readChosen = async (source: PasswordSource): Promise<string> => {
  if (source === "stdin") return readLine();
  if (stdin.isTTY) return promptTwice();
  // A generated password would be printed into the log of whatever runs the command.
  throw new Refusal(
    "there is no terminal to type a password at. Pipe it in with --password-stdin.",
  );
};

/** Reads a new password, or generates one. */
export const readPassword = async (
  source: PasswordSource,
  bounds: Bounds,
): Promise<ReadPassword> => {
  const password = await readChosen(source);
  return password === ""
    ? { password: makePassword(bounds), isMade: true }
    : { password, isMade: false };
};
