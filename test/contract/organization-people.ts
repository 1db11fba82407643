import { type LatchkeyConfig, type Operation, operations } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { type Sent, targetOf } from "../../scripts/prove/http/target-of.ts";
import type { Stack } from "../stack.ts";
import { adminConfig, whoIs } from "./admin-people.ts";
import { password, type Rows, type Seen, seen, type SignedUp, signUp } from "./identity-people.ts";

/** Configuration in which passwords cost nothing, and services may call. */
export const organizationConfig = (
  organization: LatchkeyConfig["organization"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig => ({ ...adminConfig, ...own, organization });

const ofService = { authorization: `Bearer ${adminConfig.serviceTokens.backoffice}` };

/** An organization as in replies. */
export interface ShownOrganization {
  id: string;
  name: string;
  slug: string;
  logo: string | null;
  metadata?: unknown;
  members: { id: string; userId: string; role: string; teamId?: string | null }[];
}

export interface ShownInvitation {
  id: string;
  organizationId: string;
  email: string;
  role: string;
  status: string;
  expiresAt: string;
  inviterId: string;
}

export interface ShownMember {
  id: string;
  organizationId: string;
  userId: string;
  role: string;
  user?: { id: string; name: string; email: string; image: string | null };
}

export type { Sent };

/** Calls an operation of the gateway with the cookies of a browser. */
export const send = async <Body = unknown>(
  { browser }: { browser: BrowserLike },
  declared: Operation,
  sent: Sent = {},
): Promise<Seen<Body>> => {
  const address = targetOf(declared, sent);
  return seen<Body>(
    await (declared.method === "GET" ? browser.get(address) : browser.post(address, sent.body)),
  );
};

/** Calls an internal operation at its owner, as a service does. */
export const sendInside = async <Body = unknown>(
  { running }: Stack,
  declared: Operation,
  { body }: Sent,
  headers: Record<string, string> = ofService,
): Promise<Seen<Body>> =>
  seen<Body>(
    await fetch(`${running.services[declared.owner]?.url}/internal${declared.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );

export const ofOrganizations = operations.organization;

/** Returns a client without a session. */
export const anybody = (stack: Pick<Stack, "url">) => ({ browser: createBrowserLike(stack.url) });

/** Signs the same user in with another browser. */
export const elsewhere = async (
  stack: Stack,
  { email }: SignedUp,
  own: object = {},
): Promise<{ browser: BrowserLike; token: string }> => {
  const browser = createBrowserLike(stack.url);
  const body = { email, password, ...own };
  const response = await browser.post("/sign-in/email", body);
  expect(response.status).toBe(200);
  return { browser, token: ((await response.json()) as { token: string }).token };
};

/** Asserts success and returns the reply. */
export const done = async <Body>(answer: Promise<Seen<Body>>): Promise<Body> => {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

let count = 0;

/** Returns an unused slug. */
export const newSlug = () => `acme-${(count += 1)}`;

export const create = (
  owner: { browser: BrowserLike },
  own: object = {},
): Promise<ShownOrganization> =>
  done(
    send<ShownOrganization>(owner, ofOrganizations.createOrganization, {
      body: { name: "Acme", slug: newSlug(), ...own },
    }),
  );

export const invite = (
  inviter: { browser: BrowserLike },
  email: string,
  own: object = {},
): Promise<ShownInvitation> =>
  done(
    send<ShownInvitation>(inviter, ofOrganizations.inviteMember, {
      body: { email, role: "member", ...own },
    }),
  );

export const accept = (
  invitee: { browser: BrowserLike },
  invitationId: string,
): Promise<{ invitation: ShownInvitation; member: ShownMember }> =>
  done(send(invitee, ofOrganizations.acceptInvitation, { body: { invitationId } }));

/** Returns the id of an invitation's row, by the id from its mail, which its inviter sees too. */
export const rowIdOf = (mailedId: string): string => mailedId.slice(0, -32);

/** Adds a member without an invitation. The user's sessions do not change. */
export const enrol = (
  stack: Stack,
  { user }: Pick<SignedUp, "user">,
  own: { organizationId: string; role?: string; teamId?: string },
): Promise<ShownMember> =>
  done(
    sendInside<ShownMember>(stack, ofOrganizations.addMember, {
      body: { userId: user.id, role: "member", ...own },
    }),
  );

/** Returns the active organization of a browser's session. Undefined without a session. */
export const worksIn = async (browser: BrowserLike): Promise<string | null | undefined> => {
  const found = await whoIs(browser);
  return found === null
    ? undefined
    : ((found.session as { activeOrganizationId?: string | null }).activeOrganizationId ?? null);
};

/** Waits until a browser's session works in an organization, or in none. */
export const untilWorksIn = (browser: BrowserLike, id: string | null): Promise<boolean> =>
  until(async () => (await worksIn(browser)) === id, { describe: `work in ${id}` });

/** An organization with a member of every role, and all its ids. */
export interface TenantIds {
  organizationId: string;
  organizationSlug: string;
  /** The plain member's. */
  memberId: string;
  memberUserId: string;
  memberEmail: string;
  /** A team without members, and not the last one. */
  teamId: string;
  /** A pending invitation of the invitee. */
  invitationId: string;
  /** A slug that no organization has. */
  freeSlug: string;
  /** A user who is not a member. */
  strangerId: string;
}

/** The users by their role in the organization. */
export interface Staff {
  owner: SignedUp;
  admin: SignedUp;
  member: SignedUp;
  invitee: SignedUp;
  stranger: SignedUp;
}

export const hire = async (stack: Stack): Promise<Staff> => ({
  owner: await signUp(stack),
  admin: await signUp(stack),
  member: await signUp(stack),
  invitee: await signUp(stack),
  stranger: await signUp(stack),
});

/** Ages all invitations, so that the limit of invitations per time does not block the next one. */
export const ageInvitations = async (rows: Rows): Promise<void> => {
  await rows.ask("update organization.invitation set mailed_at = mailed_at - interval '1 hour'");
  await rows.ask("delete from organization.issued_invitation");
};

/** Creates an organization with teams, in which the owner works, and an aged invitation. */
export const found = async (
  { stack, rows }: { stack: Stack; rows: Rows },
  staff: Staff,
): Promise<TenantIds> => {
  const { id: organizationId, slug } = await create(staff.owner);
  const [member] = [
    await enrol(stack, staff.member, { organizationId }),
    await enrol(stack, staff.admin, { organizationId, role: "admin" }),
  ];
  const invitation = await invite(staff.owner, staff.invitee.email);
  await ageInvitations(rows);
  const body = { name: "Second" };
  const team = await done(send<{ id: string }>(staff.owner, ofOrganizations.createTeam, { body }));
  return {
    organizationId,
    organizationSlug: slug,
    memberId: member.id,
    memberUserId: staff.member.user.id,
    memberEmail: staff.member.email,
    teamId: team.id,
    invitationId: invitation.id,
    freeSlug: newSlug(),
    strangerId: staff.stranger.user.id,
  };
};

/**
 * Returns a hash of each table of organizations. Excludes events, which are deleted later, and seals, which are written later.
 */
export const dumpOrganizations = async (rows: Rows): Promise<unknown> => {
  const tables = await rows.ask(
    "select table_name from information_schema.tables where table_schema = 'organization' and table_name not in ('outbox', 'inbox') and table_name not like 'audit\\_%'",
  );
  const parts = tables.map(
    ({ table_name: table }) =>
      `select '${String(table)}' as table, count(*), md5(string_agg(r::text, ',' order by r::text)) from organization.${String(table)} r`,
  );
  return rows.ask(`${parts.join(" union all ")} order by 1`);
};
