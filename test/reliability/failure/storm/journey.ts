import {
  type BackupCode,
  type Invitation,
  type Key,
  type Ledger,
  owe,
  type Session,
} from "./ledger.ts";
import type { Answer, RecordedClient } from "./recorded-client.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { serviceToken } from "./storm-stack.ts";

export const subjects = { verification: "Verify", invitation: "Join" };
/** Texts that only the users may see. No log may contain them. */
export const planted = { name: "Ada of the storm", password: "correct horse battery" };
const usesMax = 3;
/** One of so many users gets a second factor. */
const guardedShare = 3;
const alreadyAccepted = 400;
/** A used code, and a sign-in that has ended or that a replica with another clock takes for expired. */
const notPassed = 401;

/** Tools for a journey. */
export interface Travel {
  ledger: Ledger;
  client: RecordedClient;
  random: SeededRandom;
  /** Returns the base URL of a random gateway. */
  gateway(): string;
  /** Returns the base URL where services verify keys. */
  keyService(): string;
  /** The latest user, who is free to be invited. */
  guest?: Person;
}

export interface Person {
  email: string;
  userId: string;
  session: Session;
}

interface Opened {
  token: string;
  user: { id: string };
}

let count = 0;

const isUncertain = ({ status }: Answer<unknown>) => status !== 200;

const keepSession = ({ ledger }: Travel, { token, user }: Opened): Session => {
  const session: Session = { token, userId: user.id, state: "live" };
  ledger.sessions.push(session);
  return session;
};

/** Signs up a user and signs in once more. Returns undefined if one of these got no answer. */
const arrive = async (travel: Travel): Promise<Person | undefined> => {
  const { ledger, client, gateway } = travel;
  const email = `storm-${(count += 1)}@example.com`;
  const body = { ...planted, email };
  const signedUp = await client.send<Opened>(`${gateway()}/sign-up/email`, { body });
  if (isUncertain(signedUp)) return undefined;
  ledger.users.add(email);
  owe(ledger, email, subjects.verification);
  const first = keepSession(travel, signedUp.body);
  const signedIn = await client.send<Opened>(`${gateway()}/sign-in/email`, { body });
  if (isUncertain(signedIn)) return { email, userId: first.userId, session: first };
  const session = keepSession(travel, signedIn.body);
  const { token } = first;
  // The session may have ended from now on, and must have once that is acknowledged.
  first.state = "uncertain";
  const ended = await client.send(`${gateway()}/revoke-session`, {
    token: session.token,
    body: { token },
  });
  if (ended.status === 200) first.state = "ended";
  return { email, userId: first.userId, session };
};

/** Creates an organization and an invitation, which the guest accepts twice concurrently. */
const gather = async (travel: Travel, owner: Person, guest: Person): Promise<void> => {
  const { ledger, client, gateway } = travel;
  const slug = `storm-${(count += 1)}`;
  const { token } = owner.session;
  const founded = await client.send<{ id: string }>(`${gateway()}/organization/create`, {
    token,
    body: { name: "Acme", slug },
  });
  if (isUncertain(founded)) return;
  ledger.organizations.set(slug, owner.userId);
  const organizationId = founded.body.id;
  const invited = await client.send<{ id: string }>(`${gateway()}/organization/invite-member`, {
    token,
    body: { email: guest.email, role: "member", organizationId },
  });
  if (isUncertain(invited)) return;
  owe(ledger, guest.email, subjects.invitation);
  const { id } = invited.body;
  const invitation: Invitation = {
    id,
    organizationId,
    userId: guest.userId,
    acceptedCount: 0,
    uncertainCount: 0,
  };
  ledger.invitations.push(invitation);
  const accept = async () => {
    const { status } = await client.send(`${gateway()}/organization/accept-invitation`, {
      token: guest.session.token,
      body: { invitationId: id },
      refusal: alreadyAccepted,
    });
    if (status === 200) invitation.acceptedCount += 1;
    else if (status !== alreadyAccepted) invitation.uncertainCount += 1;
  };
  await Promise.all([accept(), accept()]);
};

const useKey = async ({ client, keyService }: Travel, used: Key): Promise<void> => {
  const { key } = used;
  const verdict = await client.send<{ valid: boolean }>(`${keyService()}/verify`, {
    token: serviceToken,
    body: { key },
  });
  if (isUncertain(verdict)) used.uncertainCount += 1;
  else if (verdict.body.valid) used.validCount += 1;
};

/** Makes a service create a key with limited uses and uses it more often, two at a time. */
const spend = async (travel: Travel, { userId }: Person): Promise<void> => {
  const { ledger, client, keyService } = travel;
  const made = await client.send<{ id: string; key: string }>(`${keyService()}/create`, {
    token: serviceToken,
    body: { userId, remaining: usesMax, rateLimitEnabled: false },
  });
  if (isUncertain(made)) return;
  const { id, key } = made.body;
  const spent: Key = { id, key, usesMax, validCount: 0, uncertainCount: 0 };
  ledger.keys.push(spent);
  for (let pair = 0; pair < 2; pair += 1)
    await Promise.all([useKey(travel, spent), useKey(travel, spent)]);
};

/** Turns a second factor on, which ends every session of its user. Returns the backup codes. */
const turnOn = async (
  { ledger, client, gateway }: Travel,
  { userId, session }: Person,
): Promise<string[] | undefined> => {
  const ending = ledger.sessions.filter((one) => one.userId === userId && one.state !== "ended");
  for (const one of ending) one.state = "uncertain";
  const enabled = await client.send<{ backupCodes: string[] }>(`${gateway()}/two-factor/enable`, {
    token: session.token,
    body: { password: planted.password },
  });
  if (isUncertain(enabled)) return undefined;
  for (const one of ending) one.state = "ended";
  return enabled.body.backupCodes;
};

/** Turns a second factor on, and enters a backup code twice concurrently in one sign-in. */
const guard = async (travel: Travel, person: Person): Promise<void> => {
  const { ledger, client, gateway } = travel;
  const { email, userId } = person;
  const codes = await turnOn(travel, person);
  if (!codes) return;
  const begun = await client.send<object>(`${gateway()}/sign-in/email`, {
    body: { email, password: planted.password },
  });
  if (isUncertain(begun)) return;
  if ("token" in begun.body)
    ledger.violations.push(`${email} is signed in without the second factor`);
  const used: BackupCode = {
    userId,
    amount: codes.length,
    acceptedCount: 0,
    uncertainCount: 0,
  };
  ledger.backupCodes.push(used);
  const enter = async () => {
    const passed = await client.send<Opened>(`${gateway()}/two-factor/verify-backup-code`, {
      twoFactor: begun.twoFactor,
      body: { code: codes[0] },
      refusal: notPassed,
    });
    if (passed.status === 200) {
      used.acceptedCount += 1;
      keepSession(travel, passed.body);
    } else if (passed.status !== notPassed) used.uncertainCount += 1;
  };
  await Promise.all([enter(), enter()]);
};

/** Calls get-session. Only a session whose end was requested may be missing. */
export const lookAtSession = async (travel: Travel, session: Session): Promise<void> => {
  const { ledger, client, gateway } = travel;
  const before = session.state;
  const { token, userId } = session;
  const url = `${gateway()}/get-session`;
  const answer = await client.send<{ user: { id: string } } | null>(url, { method: "GET", token });
  if (isUncertain(answer)) return;
  const shown = answer.body?.user.id;
  if (before === "ended" && shown !== undefined)
    ledger.violations.push(`an ended session of ${userId} opens`);
  if (session.state === "live" && shown !== userId)
    ledger.violations.push(`a session of ${userId} is lost: shows ${shown}`);
};

/** Runs one client's journey repeatedly until it is stopped. */
export const travelOn = async (
  travel: Travel,
  { isOver, rest }: { isOver: () => boolean; rest: () => Promise<unknown> },
): Promise<void> => {
  while (!isOver()) {
    const person = await arrive(travel);
    if (person) {
      const { guest } = travel;
      // Another client may use the session of a guest, which a second factor would end.
      const isGuarded = travel.random.below(guardedShare) === 0;
      if (!isGuarded) travel.guest = person;
      if (guest) await gather(travel, person, guest);
      await spend(travel, person);
      if (isGuarded) await guard(travel, person);
    }
    const { sessions } = travel.ledger;
    if (sessions.length > 0) await lookAtSession(travel, travel.random.pick(sessions));
    await rest();
  }
};
