import { allOperations, type Operation } from "@latchkey/contracts";
import { canonicalPath } from "../paths/canonical-path.ts";

const offered = allOperations.filter(({ exposure }) => exposure === "public");

/** Admin operations are excluded, because the admin web shows no captcha and a permission or a secret link protects them. */
const isCoveredByDefault = ({ access, feature, password, mailsOthers }: Operation): boolean =>
  (password !== undefined || mailsOthers === true) &&
  access !== "permission" &&
  feature !== "admin";

/** Returns the paths of the operations that require a captcha. */
export const captchaPaths = ({ endpoints }: { endpoints: readonly string[] }): string[] =>
  endpoints.length === 0
    ? [...new Set(offered.filter(isCoveredByDefault).map(({ path }) => path))]
    : endpoints.map((path) => canonicalPath(path) ?? path);

/** Whether a path belongs to a public operation. A captcha for another path protects nothing. */
export const isOperationPath = (path: string): boolean =>
  offered.some((declared) => declared.path === path);
