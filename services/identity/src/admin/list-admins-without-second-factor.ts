import type { Deps } from "../deps.ts";
import { requirementOf } from "../second-factor/requirement.ts";
import { listAdminsLackingSecondFactor } from "./queries.ts";

const limit = 10;

/** Returns some addresses of admins without a second factor whom the options do not require to have one. */
export const listAdminsWithoutSecondFactor = async ({
  db,
  config,
}: Pick<Deps, "config" | "db">): Promise<string[]> => {
  const admins = await listAdminsLackingSecondFactor(db, { ...config.admin, limit });
  return admins.filter((admin) => !requirementOf(config, admin)).map(({ email }) => email);
};
