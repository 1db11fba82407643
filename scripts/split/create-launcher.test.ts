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

/** A process that launches a mailer, which needs no store to be up, in a session of its own. */
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

/** A terminal that is closed takes the parent with it like this, without a word. */
test("a launched process ends with the one that launched it, however that ended", async () => {
  const parent = startParent(await freePort());
  const [told] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(told.toString());
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await until(() => !isAlive(pid));
});
