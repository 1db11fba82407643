import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort, until } from "@latchkey/testkit";
import { expect, onTestFinished, test } from "vitest";

const launcher = join(import.meta.dirname, "create-launcher.ts");

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts a process that launches a mailer, which needs no store, in a separate session. */
const startParent = (port: number) => {
  const options = {
    service: "mailer",
    ports: { port, internal: port },
    environment: {
      PATH: process.env["PATH"],
      DATABASE_URL: "postgres://127.0.0.1:1/none",
      LOG_LEVEL: "silent",
    },
    folder: import.meta.dirname,
    isDetached: true,
  };
  const program = `
    import { createLauncher } from ${JSON.stringify(launcher)};
    const options = { ...${JSON.stringify(options)}, onOutput: (text) => process.stderr.write(text) };
    const launched = createLauncher().launch(options);
    const isUp = await launched.answers("/health/live");
    process.stdout.write(isUp ? String(launched.pid) + "\\n" : "");
  `;
  return spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
};

/** Closing a terminal kills the parent like this, without a signal to the child. */
test("ends a launched process with its parent, however that ended", async () => {
  const parent = startParent(await freePort());
  const [output] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(output.toString());
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await until(() => !isAlive(pid));
});
