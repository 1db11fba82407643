import type { Settings } from "@latchkey/service-kit/config";
import { StartError } from "@latchkey/service-kit/run";
import { checkPreparedStatements, checkServer, sharedOf } from "./check-database.ts";
import { checkRedisServer } from "./check-redis.ts";
import type { Finding } from "./finding.ts";

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const explain = ({ detail, remedy = "" }: Finding): string =>
  `${sentence(detail)}.\n${sentence(remedy)}.`;

/**
 * Refuses to start if a configured store cannot be used, with an explanation for the operator. Skips the database of this folder, because
 * its start reports its own errors.
 */
export const requireStores = async ({ options }: Settings, isOwnData: boolean): Promise<void> => {
  const databases = isOwnData ? [] : sharedOf(options);
  const findings = await Promise.all([...databases.map(checkServer), checkRedisServer(options)]);
  const isReached = findings.flat().every(({ status }) => status !== "fail");
  const prepared = await Promise.all(
    (isReached ? databases : []).slice(0, 1).map((each) => checkPreparedStatements(each, options)),
  );
  const failed = [...findings, ...prepared].flat().filter(({ status }) => status === "fail");
  if (failed.length > 0) throw new StartError(failed.map(explain).join("\n"));
};
