import { withDeadline } from "@latchkey/service-kit/bounds";
import { explainError, type Server } from "./explain-error.ts";
import { fail, type Finding } from "./finding.ts";

/** The time limit of one check. */
const checkMilliseconds = 8_000;

/** Returns the findings of a check. A check that throws or exceeds the limit counts as failed and does not delay others. */
export const runCheck = async (
  check: string,
  server: Server,
  work: () => Promise<Finding[]>,
): Promise<Finding[]> => {
  try {
    return await withDeadline(work(), checkMilliseconds, `checking ${server.what}`);
  } catch (error) {
    const { detail, remedy } = explainError(error, server);
    return [fail(check, `${server.what} at ${server.address}: ${detail}`, remedy)];
  }
};
