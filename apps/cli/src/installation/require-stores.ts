import { type Settings, StartError } from "@latchkey/service-kit";
import { checkServer, sharedOf } from "../doctor/check-database.ts";
import { checkRedisServer } from "../doctor/check-redis.ts";
import type { Finding } from "../doctor/finding.ts";

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const explain = ({ detail, remedy = "" }: Finding): string =>
  `${sentence(detail)}.\n${sentence(remedy)}.`;

/**
 * Refuses to start if a configured store cannot be used, with an explanation for the operator. Skips the database of this folder, because
 * its start reports its own errors.
 */
export const requireStores = async ({ options }: Settings, isOwnData: boolean): Promise<void> => {
  const databases = isOwnData ? [] : sharedOf(options);
  const found = await Promise.all([...databases.map(checkServer), checkRedisServer(options)]);
  const failed = found.flat().filter(({ status }) => status === "fail");
  if (failed.length > 0) throw new StartError(failed.map(explain).join("\n"));
};
