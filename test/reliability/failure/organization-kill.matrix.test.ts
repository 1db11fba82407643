import { randomUUID } from "node:crypto";
import { callerHeader, type Operation } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { signCaller } from "@latchkey/service-kit/http";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { targetOf } from "../../../apps/cli/src/prove/http/target-of.ts";
import { callOperation, expectOk, type Sent } from "../../harness/operations.ts";
import {
  acceptInvitation,
  activeOrganizationOf,
  createOrganization,
  invitationRowId,
  type InvitationView,
  inviteMember,
  newSlug,
  organizationOperations,
  type OrganizationView,
} from "../../harness/organizations.ts";
import type { ProcessSystem } from "../../harness/start-system.ts";
import { matrix, matrixTest, matrixValue } from "../../harness/matrix.ts";
import { openPool } from "../../harness/rows.ts";
import { useSystem } from "../../harness/use-system.ts";
import { signUp, type TestUser } from "../../harness/users.ts";

/** Longer than BullMQ waits before it assigns a dead worker's job to another. */
const recoveryMs = 180_000;

const all: Operation[] = Object.values(organizationOperations);
const ofMembers = all.filter(({ access }) => access === "session");

type Asked = (declared: Operation, sent: Sent) => Promise<Response>;

/** Calls the organization service directly, signed like a gateway that knows the user's current session. */
const vouchedFor = async (system: ProcessSystem, { browser }: TestUser): Promise<Asked> => {
  const answer = await browser.get("/get-session");
  const resolved = (await answer.json()) as { session: { token: string }; user: object };
  const authenticatedAt = new Date().toISOString();
  const authentication = { authenticatedAt, secondFactorAt: null, methods: ["password"] };
  const ring = createSecretRing(system.settings.options.secret);
  return (declared, sent) => {
    const caller = {
      requestId: randomUUID(),
      operation: declared.name,
      baseUrl: system.url,
      address: "",
      userAgent: "",
      sessionToken: resolved.session.token,
      resolved: JSON.stringify({ ...resolved, authentication }),
    };
    return fetch(system.urlOf("organization") + targetOf(declared, sent), {
      method: declared.method,
      headers: {
        "content-type": "application/json",
        [callerHeader]: signCaller(ring, caller, Date.now()),
      },
      ...(declared.method === "POST" ? { body: JSON.stringify(sent.body) } : {}),
    });
  };
};

/** Requests to a service that is killed repeatedly, and the confirmed results. */
interface Storm {
  asked: number;
  isUp: boolean;
  isOver: boolean;
  statuses: Set<number>;
  kept: Set<string>;
  deleted: Set<string>;
  /** Organization and user. */
  joined: Set<string>;
  invited: Set<string>;
  /** Removes the limit of invitations per hour between two users. */
  forgetIssued: () => Promise<unknown>;
}

/** Returns the reply. Without one, waits until the service is back and returns undefined. */
const tryTo = async <Body>(
  storm: Storm,
  person: TestUser,
  [declared, body]: readonly [Operation, object],
): Promise<Body | undefined> => {
  storm.asked += 1;
  const answer = await callOperation<Body>(person, declared, { body });
  storm.statuses.add(answer.status);
  if (answer.status === 200) return answer.body;
  await until(() => storm.isUp || storm.isOver, { timeoutMs: recoveryMs });
  return undefined;
};

/** Creates, invites, joins and deletes until the storm is over. */
const work = async (storm: Storm, owner: TestUser, guest: TestUser): Promise<void> => {
  const operations = organizationOperations;
  for (let round = 0; !storm.isOver; round += 1) {
    const founding = [operations.createOrganization, { name: "Acme", slug: newSlug() }] as const;
    const founded = await tryTo<OrganizationView>(storm, owner, founding);
    if (!founded) continue;
    const organizationId = founded.id;
    await storm.forgetIssued();
    const inviting = { email: guest.email, role: "member", organizationId };
    const invited = await tryTo<InvitationView>(storm, owner, [operations.inviteMember, inviting]);
    if (invited) {
      storm.invited.add(invited.id);
      const accepting = { invitationId: invited.id };
      const joined = await tryTo(storm, guest, [operations.acceptInvitation, accepting]);
      if (joined) storm.joined.add(`${organizationId} ${guest.user.id}`);
    }
    if (round % 2 === 0) storm.kept.add(organizationId);
    else if (await tryTo(storm, owner, [operations.deleteOrganization, { organizationId }]))
      storm.deleted.add(organizationId);
  }
};

/** Finds rows that cannot exist if organizations are created, joined and deleted atomically. */
const faults = `
  select 'an organization without an owner' as fault, o.id from organization.organization o
  where not exists (select from organization.member m where m.organization_id = o.id and m.role = 'owner')
  union all
  select 'an organization without its first team', o.id from organization.organization o
  where (select count(*) from organization.team t where t.organization_id = o.id) <> 1
  union all
  select 'an organization that nobody is known to have created', o.id from organization.organization o
  where not exists (select from organization.audit a where a.subject_id = o.id and a.action = 'organization.created')
  union all
  select 'a team of nothing', t.id from organization.team t
  where not exists (select from organization.organization o where o.id = t.organization_id)
  union all
  select 'a member of nothing', m.id from organization.member m
  where not exists (select from organization.organization o where o.id = m.organization_id)
  union all
  select 'an invitation to nothing', i.id from organization.invitation i
  where not exists (select from organization.organization o where o.id = i.organization_id)
  union all
  select 'an invitation that was accepted by no member', i.id from organization.invitation i
  where i.status = 'accepted' and not exists (
    select from organization.member m join identity."user" u on u.id = m.user_id
    where m.organization_id = i.organization_id and u.email = i.email)
  union all
  select 'a member who accepted nothing', m.id from organization.member m join identity."user" u on u.id = m.user_id
  where m.role = 'member' and not exists (
    select from organization.invitation i
    where i.organization_id = m.organization_id and i.email = u.email and i.status = 'accepted')`;

describe.each(matrix("postgres", "redis"))("with sessions and bus in %s", (stores) => {
  let pool: ReturnType<typeof openPool>;
  const config = {
    organization: { teams: { enabled: true }, dynamicAccessControl: { enabled: true } },
    rateLimit: { enabled: false },
  };
  const { system } = useSystem({ topology: "processes", stores, config });
  beforeAll(async () => {
    pool = openPool(system.databaseUrl);
  });
  afterAll(async () => {
    await pool?.end();
  });
  const idsOf = async (text: string): Promise<Set<string>> => {
    const { rows } = await pool.query<{ id: string }>(text);
    return new Set(rows.map(({ id }) => id));
  };
  const isPublished = async () =>
    (await idsOf("select id from organization.outbox where published_at is null")).size === 0;

  test("kills during creations, acceptances and deletions leave organizations whole and lose nothing that was confirmed or committed", async () => {
    const storm: Storm = {
      asked: 0,
      isUp: true,
      isOver: false,
      statuses: new Set(),
      kept: new Set(),
      deleted: new Set(),
      joined: new Set(),
      invited: new Set(),
      forgetIssued: () => pool.query("delete from organization.issued_invitation"),
    };
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async () => [await signUp(system), await signUp(system)]),
    );
    const working = pairs.map(([owner, guest]) => work(storm, owner!, guest!));
    for (const more of matrix(30, 47, 71)) {
      const enough = storm.asked + more;
      await until(() => storm.asked >= enough, { timeoutMs: recoveryMs, intervalMs: 1 });
      storm.isUp = false;
      await system.kill("organization");
      await system.start("organization");
      storm.isUp = true;
    }
    const enough = storm.asked + matrixValue(15, 50);
    await until(() => storm.asked >= enough, { timeoutMs: recoveryMs });
    storm.isOver = true;
    await Promise.all(working);

    expect([...storm.statuses].toSorted()).toEqual([200, 503]);
    expect((await pool.query(faults)).rows).toEqual([]);
    const organizations = await idsOf("select id from organization.organization");
    expect([...storm.kept].filter((id) => !organizations.has(id))).toEqual([]);
    expect([...storm.deleted].filter((id) => organizations.has(id))).toEqual([]);
    const members = await idsOf(
      "select organization_id || ' ' || user_id as id from organization.member",
    );
    const isThere = (membership: string) => organizations.has(membership.split(" ")[0] ?? "");
    const lost = [...storm.joined].filter((id) => isThere(id) && !members.has(id));
    expect(lost).toEqual([]);

    await until(isPublished, { timeoutMs: recoveryMs, describe: "an empty outbox" });
    const invitations = await idsOf(
      "select after->>'id' as id from organization.audit where action = 'invitation.created'",
    );
    expect([...storm.invited].filter((id) => !invitations.has(invitationRowId(id)))).toEqual([]);
    const mailed = () =>
      new Set(
        system.smtp.mails.flatMap(({ links }) =>
          links.map((link) => invitationRowId(new URL(link).pathname.split("/").at(-1) ?? "")),
        ),
      );
    await until(() => [...invitations].every((id) => mailed().has(id)), {
      timeoutMs: recoveryMs,
      describe: "a mail for every invitation",
    });
    for (const { user, browser } of pairs.flat())
      await until(
        async () => {
          const place = await activeOrganizationOf(browser);
          return place === null || members.has(`${place} ${user.id}`);
        },
        { timeoutMs: recoveryMs, describe: "a session that works where its user is a member" },
      );
  });

  test("while identity is down, the gateway answers 503 with Retry-After", async () => {
    const person = await signUp(system);
    const { id } = await createOrganization(person);
    await system.kill("identity");
    for (const declared of ofMembers) {
      const [path, body] = [targetOf(declared, { query: { id } }), { organizationId: id }];
      const answer = await (declared.method === "GET"
        ? person.browser.get(path)
        : person.browser.post(path, body));
      expect([path, answer.status]).toEqual([path, 503]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await system.start("identity");
    expect(await activeOrganizationOf(person.browser)).toBe(id);
  });

  matrixTest("while identity is down, operations without user data work", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => signUp(system)));
    const [owner, stays, leaves, joins, declines, bereft] = people as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ];
    const join = async (person: TestUser) =>
      (await acceptInvitation(person, (await inviteMember(owner, person.email)).id)).member;
    const doomed = await createOrganization(owner);
    await join(bereft);
    const { id: organizationId } = await createOrganization(owner);
    const member = await join(stays);
    await join(leaves);
    const [offered, declined, withdrawn] = [
      await inviteMember(owner, joins.email),
      await inviteMember(owner, declines.email),
      await inviteMember(owner, "nobody@example.com"),
    ];
    const callers = new Map<TestUser, Asked>();
    for (const person of people) callers.set(person, await vouchedFor(system, person));
    const callAs = (person: TestUser, declared: Operation, sent: Sent = {}) =>
      callers.get(person)!(declared, sent);
    await system.kill("identity");

    const { listMembers, getFullOrganization, setActiveOrganization } = organizationOperations;
    const { removeMember, getInvitation } = organizationOperations;
    const unavailable: [TestUser, Operation, Sent][] = [
      [owner, listMembers, {}],
      [owner, getFullOrganization, {}],
      [owner, setActiveOrganization, { body: { organizationId: doomed.id } }],
      [
        owner,
        organizationOperations.inviteMember,
        { body: { email: "late@example.com", role: "member" } },
      ],
      [owner, removeMember, { body: { memberIdOrEmail: member.id } }],
      [joins, getInvitation, { query: { id: offered.id } }],
    ];
    for (const [person, declared, sent] of unavailable) {
      const answer = await callAs(person, declared, sent);
      expect([declared.name, answer.status]).toEqual([declared.name, 503]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const { updateOrganization, updateMemberRole, createTeam } = organizationOperations;
    const { rejectInvitation, cancelInvitation } = organizationOperations;
    const { leaveOrganization, deleteOrganization, listOrganizations } = organizationOperations;
    const slug = newSlug();
    const memberId = member.id;
    const served: [TestUser, Operation, Sent][] = [
      [owner, organizationOperations.createOrganization, { body: { name: "Acme", slug } }],
      [owner, updateOrganization, { body: { data: { name: "Renamed" } } }],
      [owner, updateMemberRole, { body: { memberId, role: "admin" } }],
      [owner, createTeam, { body: { name: "Second" } }],
      [owner, cancelInvitation, { body: { invitationId: withdrawn.id } }],
      [joins, organizationOperations.acceptInvitation, { body: { invitationId: offered.id } }],
      [declines, rejectInvitation, { body: { invitationId: declined.id } }],
      [leaves, leaveOrganization, { body: { organizationId } }],
      [owner, deleteOrganization, { body: { organizationId: doomed.id } }],
      [owner, listOrganizations, {}],
    ];
    for (const [person, declared, sent] of served) {
      const answer = await callAs(person, declared, sent);
      expect([declared.name, answer.status]).toEqual([declared.name, 200]);
    }

    await system.start("identity");
    for (const person of [leaves, bereft])
      await until(async () => (await activeOrganizationOf(person.browser)) === null, {
        timeoutMs: recoveryMs,
        describe: `${person.email} in no organization`,
      });
    for (const person of [owner, stays])
      expect(await activeOrganizationOf(person.browser)).toBe(organizationId);
    const shown = await expectOk(
      callOperation<OrganizationView & { invitations: InvitationView[]; teams: object[] }>(
        owner,
        getFullOrganization,
      ),
    );
    expect(shown.name).toBe("Renamed");
    expect(shown.members.map(({ userId, role }) => [userId, role])).toEqual([
      [owner.user.id, "owner"],
      [stays.user.id, "admin"],
      [joins.user.id, "member"],
    ]);
    expect(shown.invitations.map(({ status }) => status).toSorted()).toEqual([
      "accepted",
      "accepted",
      "accepted",
      "canceled",
      "rejected",
    ]);
    expect(shown.teams).toHaveLength(2);
    const listed = await expectOk(callOperation<OrganizationView[]>(owner, listOrganizations));
    expect(listed.map((each) => each.slug).toSorted()).toEqual([shown.slug, slug].toSorted());
  });
});
