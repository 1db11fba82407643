import { until } from "@latchkey/testkit";
import type { openPool } from "../../../harness/rows.ts";
import { lookAtSession, subjects, type Travel } from "./journey.ts";
import { invitationRowId } from "../../../harness/organizations.ts";
import type { BackupCode, Invitation, Key, Ledger } from "./ledger.ts";
import type { Mailbox } from "./storm-stack.ts";

type Pool = ReturnType<typeof openPool>;

/** Reasons why acknowledged changes are inconsistent. */
type Findings = string[];

const readAll = async <Row extends object>(pool: Pool, text: string): Promise<Row[]> =>
  (await pool.query<Row>(text)).rows;

const missing = (what: string, wanted: Iterable<string>, there: readonly string[]): Findings => {
  const present = new Set(there);
  return [...wanted].filter((one) => !present.has(one)).map((one) => `${what} ${one} is lost`);
};

const checkInvitation = (
  { id, acceptedCount, uncertainCount }: Invitation,
  { membersCount, status }: { membersCount: number; status: string | undefined },
): Findings => {
  const findings: Findings = [];
  if (status === undefined) findings.push(`invitation ${id} is lost`);
  if (acceptedCount > 1) findings.push(`invitation ${id} was accepted ${acceptedCount} times`);
  if (membersCount > 1) findings.push(`invitation ${id} made ${membersCount} members`);
  if (acceptedCount === 1 && membersCount === 0) findings.push(`a member by ${id} is lost`);
  if (membersCount === 1 && acceptedCount + uncertainCount === 0)
    findings.push(`invitation ${id} made a member whom nobody asked for`);
  if ((status === "accepted") !== (membersCount === 1))
    findings.push(`invitation ${id} is ${status} with ${membersCount} members`);
  return findings;
};

/** A spent key may be deleted. */
const checkKey = (
  { id, usesMax, validCount, uncertainCount }: Key,
  remaining: number | undefined,
): Findings => {
  const usedCount = usesMax - (remaining ?? 0);
  const finding = `key ${id}: ${usedCount} of ${usesMax} uses gone, ${validCount} were good and ${uncertainCount} got no answer`;
  const isExact = usedCount >= validCount && usedCount <= validCount + uncertainCount;
  return isExact ? [] : [finding];
};

/** An uncertain use may have spent the code without a session. */
const checkBackupCode = (
  { userId, amount, acceptedCount, uncertainCount }: BackupCode,
  remaining: number,
): Findings => {
  const spentCount = amount - remaining;
  const isExact = spentCount >= acceptedCount && spentCount <= acceptedCount + uncertainCount;
  return [
    ...(acceptedCount > 1 ? [`a backup code of ${userId} opened ${acceptedCount} sessions`] : []),
    ...(isExact
      ? []
      : [
          `${spentCount} backup codes of ${userId} are spent: ${acceptedCount} uses were good and ${uncertainCount} got no answer`,
        ]),
  ];
};

/** Compares rows with the ledger. The load may continue, so changes in progress are checked the next time. */
const checkRows = async (pool: Pool, { users, organizations, ...ledger }: Ledger) => {
  const [invitations, keys] = [[...ledger.invitations], [...ledger.keys]];
  const backupCodes = [...ledger.backupCodes];
  const wanted = { users: [...users], slugs: [...organizations.keys()] };
  const there = await readAll<{ email: string }>(pool, `select email from identity."user"`);
  const slugs = await readAll<{ slug: string }>(pool, "select slug from organization.organization");
  const statuses = await readAll<{ id: string; status: string }>(
    pool,
    "select id, status from organization.invitation",
  );
  const members = await readAll<{ member: string }>(
    pool,
    "select organization_id || ' ' || user_id as member from organization.member",
  );
  const keyRows = await readAll<{ id: string; remaining: number }>(
    pool,
    "select id, remaining from apikey.api_key",
  );
  const codes = await readAll<{ userId: string }>(
    pool,
    `select user_id as "userId" from identity.backup_code where not is_pending`,
  );
  const statusOf = new Map(statuses.map(({ id, status }) => [id, status]));
  const remainingOf = new Map(keyRows.map(({ id, remaining }) => [id, remaining]));
  const codesOf = Map.groupBy(codes, ({ userId }) => userId);
  const countOf = Map.groupBy(members, ({ member }) => member);
  return [
    ...missing(
      "user",
      wanted.users,
      there.map(({ email }) => email),
    ),
    ...missing(
      "organization",
      wanted.slugs,
      slugs.map(({ slug }) => slug),
    ),
    ...invitations.flatMap((one) =>
      checkInvitation(one, {
        membersCount: countOf.get(`${one.organizationId} ${one.userId}`)?.length ?? 0,
        status: statusOf.get(invitationRowId(one.id)),
      }),
    ),
    ...keys.flatMap((one) => checkKey(one, remainingOf.get(one.id))),
    ...backupCodes.flatMap((one) => checkBackupCode(one, codesOf.get(one.userId)?.length ?? 0)),
  ];
};

/** Returns the mails by recipient and kind, as in the ledger, each with its Message-IDs. */
const arrivedMails = (mailbox: Mailbox): Map<string, string[]> => {
  const arrived = new Map<string, string[]>();
  for (const { to, subject, messageId } of mailbox.received()) {
    const kind = Object.values(subjects).find((start) => subject.startsWith(start)) ?? subject;
    const name = `${to.join()} ${kind}`;
    arrived.set(name, [...(arrived.get(name) ?? []), messageId]);
  }
  return arrived;
};

/** Returns the mails that should have arrived and have not. */
export const owedMails = ({ mails }: Ledger, mailbox: Mailbox): string[] => {
  const arrived = arrivedMails(mailbox);
  return [...mails]
    .filter(([name, count]) => new Set(arrived.get(name)).size < count)
    .map(([name]) => name);
};

/** Counts mails that arrived twice under the same Message-ID. Different ids mean two mails for one event. */
export const repeatedMails = (mailbox: Mailbox): number => {
  const ids = [...arrivedMails(mailbox).values()].flat();
  return ids.length - new Set(ids).size;
};

/** At most one mail of a kind was requested, except for users who were invited several times. */
const checkMails = ({ mails, users }: Ledger, mailbox: Mailbox): Findings =>
  [...arrivedMails(mailbox)].flatMap(([name, ids]) => {
    const isKnown = users.has(name.split(" ")[0] ?? "");
    const count = new Set(ids).size;
    const most = Math.max(mails.get(name) ?? 0, 1);
    return isKnown && count > most ? [`${count} mails ${name}, where ${most} belong`] : [];
  });

const sample = 30;

/** After the load has stopped: checks that every acknowledged change exists exactly once. */
export const reconcile = async (
  travel: Travel,
  { pool, mailbox, isWhole }: { pool: Pool; mailbox: Mailbox; isWhole: boolean },
): Promise<void> => {
  const { ledger, random } = travel;
  ledger.violations.push(...(await checkRows(pool, ledger)), ...checkMails(ledger, mailbox));
  const looked = isWhole ? ledger.sessions : random.shuffled(ledger.sessions).slice(0, sample);
  for (const session of looked) await lookAtSession(travel, session);
};

/** Waits until every event is published and every expected mail has arrived. */
export const untilSettled = async (
  ledger: Ledger,
  { pool, mailbox, timeoutMs }: { pool: Pool; mailbox: Mailbox; timeoutMs: number },
): Promise<void> => {
  const waiting = async () => {
    const counts = ["identity", "organization", "apikey"].map((schema) =>
      readAll<{ id: string }>(pool, `select id from ${schema}.outbox where published_at is null`),
    );
    return (await Promise.all(counts)).flat().length;
  };
  await until(async () => (await waiting()) === 0, { timeoutMs, describe: "all events" });
  await until(() => owedMails(ledger, mailbox).length === 0, {
    timeoutMs,
    intervalMs: 200,
    describe: `the mails ${owedMails(ledger, mailbox).slice(0, 5).join("; ")}`,
  });
};
