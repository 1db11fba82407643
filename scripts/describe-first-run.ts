import { findAdminWeb } from "@latchkey/gateway/commands";
import { openFirstRun } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit";

/**
 * Returns the link for creating the first admin, if there is none. The link works once and for an hour. The token is in the fragment, which
 * browsers do not send to servers.
 */
export const describeFirstRun = async (settings: Settings, origin: string): Promise<string> => {
  const path = findAdminWeb(settings);
  const token = path === undefined ? undefined : await openFirstRun(settings);
  const page = `${origin}${path}/first-run`;
  return token ? `\nFirst admin: ${page}#token=${token}\n` : "";
};
