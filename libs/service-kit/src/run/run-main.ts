import { isatty } from "node:tty";
import { findMisspelled } from "../config/process-variables.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { loadConfigFile } from "../config/load-config-file.ts";
import { defaultSecret, readSettings, type Settings } from "../config/settings.ts";
import { createLogger } from "../observe/logger.ts";
import { finishStart } from "./finish-start.ts";
import { runService, type Service } from "./service.ts";
import { StartError } from "./start-error.ts";

/** Ignores output errors, because a closed terminal is no reason to stop. */
const writeToNobody = () => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
};

/**
 * Stops once at the first SIGINT or SIGTERM, and ends the process. A second one ends it at once. SIGHUP stops it only if it was started
 * in a terminal, which has closed and sends the signal repeatedly. Elsewhere SIGHUP is ignored: Node undoes the `nohup` that started
 * it, and service managers use the signal to reload a configuration.
 */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  const isInTerminal = isatty(0);
  let stopping = false;
  const begin = () => {
    stopping = true;
    writeToNobody();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  const onSignal = () => {
    if (stopping) process.exit(130);
    begin();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("SIGHUP", () => {
    writeToNobody();
    if (isInTerminal && !stopping) begin();
  });
};

const warnAtStart = ({ options }: Settings): void => {
  const logger = createLogger({ service: "latchkey", ...options.logger });
  if (options.secret.includes(defaultSecret))
    logger.error("the public default secret is in use, set your own secret (AUTH_SECRET)");
  for (const problem of findMisspelled(process.env)) logger.error(problem);
};

/** Runs a single service in this process, configured by the environment and the configuration file. */
export const runMain = async (service: Service): Promise<void> => {
  try {
    const tree = await loadConfigFile(process.env, process.cwd());
    const settings = readSettings(tree, process.env, [service.name]);
    warnAtStart(settings);
    const running = await runService(service, settings);
    stopOnSignal(running.stop);
    finishStart();
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
};
