import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./usage-error.ts";

type OptionsConfig = NonNullable<ParseArgsConfig["options"]>;
type Parsed<T extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T; strict: true; allowPositionals: false }>
>["values"];

const isParseError = (error: unknown): error is Error & { code: string } =>
  error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");

/** Reads the options of a command. Throws `UsageError` for any other argument. */
export const readOptions = <const T extends OptionsConfig>(
  args: string[],
  options: T,
): Parsed<T> => {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!isParseError(error)) throw error;
    // Node's message for a surplus argument repeats it, and it may be a password.
    throw new UsageError(
      error.code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL"
        ? "takes only options, no other arguments"
        : (error.message.split(/[.\n]/)[0] ?? error.message),
    );
  }
};
