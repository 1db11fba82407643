#!/usr/bin/env node
import { servicePorts } from "./service-ports.ts";

// The entry point of the image: runs a service by its name, or a command of `npx latchkey`.

/** The first process of a container ignores signals without a handler, and a service adds its handlers only once it serves. */
const endAtSignal = () => process.exit(143);

const runService = async (name: string): Promise<void> => {
  process.on("SIGINT", endAtSignal);
  process.on("SIGTERM", endAtSignal);
  await import(`../../services/${name}/src/main.ts`);
  process.off("SIGINT", endAtSignal);
  process.off("SIGTERM", endAtSignal);
};

const sayWhatElse = () => {
  const services = Object.keys(servicePorts).join(", ");
  process.stderr.write(
    `The image runs a service too: ${services}; and makes secrets of an installation: make-secrets.\n`,
  );
};

const runCommand = async (isHelp: boolean): Promise<void> => {
  process.once("exit", (code) => {
    if (code === 2 || isHelp) sayWhatElse();
  });
  await import("../../apps/cli/src/latchkey.ts");
};

const run = async ([name = "", ...rest]: string[]): Promise<void> => {
  if (name === "make-secrets") {
    const { makeSecretsCommand } = await import("./make-secrets-command.ts");
    process.exitCode = await makeSecretsCommand(rest);
    return;
  }
  if (!Object.hasOwn(servicePorts, name)) return runCommand(/^(help|--help|-h)$/.test(name));
  if (rest.length === 0) return runService(name);
  process.stderr.write(`${name} takes no arguments: it is configured by the environment.\n`);
  process.exitCode = 2;
};

await run(process.argv.slice(2));
