import { childEnvironment } from "../../harness/child-environment.ts";
import { choosePorts } from "../harness/choose-ports.ts";
import { startProgram } from "../harness/program.ts";
import type { Row } from "../harness/row.ts";
import { inTemporaryFolder } from "../harness/temporary-folder.ts";

const secondsMax = 1.5;
const script = new URL("../../../apps/all-in-one/src/start.ts", import.meta.url);

/** Returns the start time in seconds. */
const startOnce = async (directory: string): Promise<number> => {
  const ports = await choosePorts();
  const begun = performance.now();
  const program = await startProgram({
    script,
    directory,
    environment: { ...childEnvironment(), ...ports.environment },
    readyUrl: `http://127.0.0.1:${ports.of.gateway}/api/auth/ok`,
  });
  const seconds = (performance.now() - begun) / 1000;
  await program.stop();
  return seconds;
};

/** Time from `npm start` to the first answer, on an embedded Postgres that an earlier start has created. */
export const npmStart: Row = {
  name: "npm-start",
  measure: () =>
    inTemporaryFolder(async (directory) => {
      const first = await startOnce(directory);
      const seconds = await startOnce(directory);
      return [
        {
          path: "npm start to first answer",
          ours: `${seconds.toFixed(2)} s`,
          floor: `${first.toFixed(2)} s the first time`,
          ratio: "",
          budget: `<= ${secondsMax} s`,
          met: seconds <= secondsMax,
        },
      ];
    }),
};
