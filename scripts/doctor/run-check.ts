import { withDeadline } from "@latchkey/service-kit";
import { explainError, type Server } from "./explain-error.ts";
import { fail, type Finding } from "./finding.ts";

/** How long one check may take. */
const checkMilliseconds = 8_000;

/** What a check finds; one that breaks or takes too long has failed, and holds up no other. */
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
