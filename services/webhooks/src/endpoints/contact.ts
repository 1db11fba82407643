import { type Caller, comparableEmail, operations, WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import type { EndpointRow } from "./queries.ts";

export type ChooseContactNeeds = Pick<Deps, "identity" | "organization">;

/** The caller of a change. */
export interface Acting {
  caller: Caller;
  session: Pick<ResolvedSession, "session" | "user">;
}

/** The user whom a mail tells that an endpoint is paused. `contactName` greets the user. */
export type Contact = Pick<EndpointRow, "contactEmail" | "contactName" | "contactUserId">;

/** An endpoint without a contact mails nobody. */
const noContact: Contact = { contactEmail: "", contactName: "", contactUserId: null };

interface AskedContact extends Pick<EndpointRow, "organizationId"> {
  contactEmail: string;
  /** The caller acts as a member of the organization, and not as an admin of the installation. */
  isByMember: boolean;
}

const isMember = async (
  { organization }: ChooseContactNeeds,
  { caller: { requestId } }: Acting,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<boolean> => {
  const body = { userId, organizationId, resource: "webhook", action: "read" };
  const { authorizeMember } = operations.organization;
  const { verdict } = await organization.call(authorizeMember, { body }, { requestId });
  return verdict !== "not a member";
};

/** Returns the caller as the contact, or nobody while the caller's address is unproven. */
export const ownContact = ({ session: { user } }: Acting): Contact =>
  user.emailVerified
    ? { contactEmail: user.email, contactName: user.name, contactUserId: user.id }
    : noContact;

/**
 * Returns the user with an address as a contact. Members could otherwise have mails sent to anybody. The address must be proven. Members
 * name members of their organization, and admins name any user. Throws `WEBHOOK_CONTACT_NOT_ALLOWED`, also for an unknown address. Rejects
 * if identity or the organization service is unavailable.
 */
export const chooseContact = async (
  deps: ChooseContactNeeds,
  acting: Acting,
  { contactEmail, organizationId, isByMember }: AskedContact,
): Promise<Contact> => {
  const own = ownContact(acting);
  const email = comparableEmail(contactEmail);
  if (own.contactEmail === email) return own;
  const { requestId } = acting.caller;
  const body = { emails: [email], onlyProven: true };
  const { users } = await deps.identity.call(
    operations.identity.findUsers,
    { body },
    { requestId },
  );
  const [user] = users;
  const isAllowed =
    user !== undefined &&
    (!isByMember ||
      (organizationId !== null &&
        (await isMember(deps, acting, { userId: user.id, organizationId }))));
  if (!isAllowed) throw new WireError("WEBHOOK_CONTACT_NOT_ALLOWED");
  return { contactEmail: user.email, contactName: user.name, contactUserId: user.id };
};
