import type { ResolvedSession } from "@latchkey/service-kit";
import type { OrganizationConfig } from "../config.ts";
import type { MemberWithUser } from "../users/with-users.ts";
import type { MemberRow } from "./queries.ts";
import { showMember } from "./show-member.ts";

/** Returns the membership of a session's user, with that user. */
export const showOwnMember = (
  config: Pick<OrganizationConfig, "organization">,
  member: MemberRow,
  { user: { id, name, email, image } }: ResolvedSession,
): MemberWithUser => ({ ...showMember(config, member), user: { id, name, email, image } });
