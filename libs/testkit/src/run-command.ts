import { spawn } from "node:child_process";

/** Runs a program of the workspace with its output shown. Resolves with its exit code. */
export const runCommand = (
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: "inherit",
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...environment },
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
