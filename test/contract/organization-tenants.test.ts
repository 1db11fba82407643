import { isDeepStrictEqual } from "node:util";
import { errorCatalogue, type Operation, wireCode } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { callInternal, callOperation, type Sent } from "../harness/operations.ts";
import {
  activeOrganizationOf,
  createStaff,
  createTenant,
  hashOrganizationTables,
  organizationConfig,
  organizationOperations,
  type Staff,
  type TenantIds,
  tenantOptions,
} from "../harness/organizations.ts";
import { signUpAs, type TestUser } from "../harness/users.ts";
import { matrix } from "../harness/matrix.ts";
import { idsOf, read, subsetsOf, write } from "../../apps/cli/src/prove/ids-in-input.ts";
import { type Calling, callings } from "./organization-calls.ts";
import { useSystem } from "../harness/use-system.ts";
import { signedByGateway } from "../harness/signed-by-gateway.ts";

expectNoLeaks("file");

/** Attack: using ids of another organization in place of one's own. */

const named: TenantIds = {
  organizationId: "an organization's id",
  organizationSlug: "a slug",
  memberId: "a member's id",
  memberUserId: "a member's user's id",
  memberEmail: "somebody@example.com",
  teamId: "a team's id",
  staffedTeamId: "another team's id",
  ownersTeamId: "a third team's id",
  roleId: "a role's id",
  invitationId: "an invitation's id",
  freeSlug: "a free slug",
  strangerId: "a user's id",
  pictureHash: "a".repeat(43),
};

/** A call of an operation, and the sets of its ids that belong to another tenant. */
interface Case {
  declared: Operation;
  calling: Calling;
  call: (ids: TenantIds) => Sent;
  cells: string[][];
}

const keyOf = (places: readonly string[]) => places.toSorted().join();

const cases = Object.entries(organizationOperations).flatMap(
  ([name, declared]: [string, Operation]) => {
    const calling = callings[name as keyof typeof callings] as Calling;
    const allowed = new Set((calling.ofAnybody ?? []).map(keyOf));
    return calling.calls.map((call): Case => {
      const places = idsOf(declared).filter((place) => read(call(named), place) !== undefined);
      const cells = subsetsOf(places).filter((set) => !allowed.has(keyOf(set)));
      return { declared, calling, call, cells };
    });
  },
);
const withIds = cases.filter(({ cells }) => cells.length > 0);
const cellCount = cases.reduce((sum, { cells }) => sum + cells.length, 0);

/** Returns the errors that an operation declares, as clients see them. */
const declaredErrors = ({ errors }: Operation): { status: number; code: string }[] =>
  errors.map((error) => {
    const [code, status] = typeof error === "string" ? [error, undefined] : error;
    return { status: status ?? errorCatalogue[code].status, code: wireCode(code) };
  });

test.each(Object.entries(organizationOperations))(
  "every id that %s takes is tested here",
  (name, declared) => {
    const calling = callings[name as keyof typeof callings] as Calling;
    const tested = idsOf(declared).filter((place) =>
      calling.calls.some((call) => read(call(named), place) !== undefined),
    );
    expect(tested).toEqual(idsOf(declared));
  },
);

describe.each(matrix("postgres", "redis"))(
  `${cellCount} foreign ids and sets of ids, with sessions in %s`,
  (stores) => {
    let ours: Staff;
    let theirs: Staff;
    let operator: TestUser;
    let foreign: TenantIds;
    const config = organizationConfig({ ...tenantOptions, sendInvitationMail: false });
    const { system, rows } = useSystem({ stores, config });
    beforeAll(async () => {
      ours = await createStaff(system);
      theirs = await createStaff(system);
      operator = await signUpAs(system, "admin");
      foreign = await createTenant({ system, rows }, theirs);
    });

    const callAs = (by: Calling["by"], declared: Operation, sent: Sent) => {
      if (by === "service") return callInternal(system, declared, sent);
      if (by === "gateway")
        return callInternal(system, declared, sent, signedByGateway(declared.name));
      return callOperation(by === "operator" ? operator : ours[by], declared, sent);
    };
    const sessions = () =>
      Promise.all(
        [...Object.values(ours), ...Object.values(theirs)].map(({ browser }) =>
          activeOrganizationOf(browser),
        ),
      );
    const everything = async () => ({
      rows: await hashOrganizationTables(rows),
      sessions: await sessions(),
    });

    let own: TenantIds;
    let unchanged: unknown;
    /** Operations that changed nothing share a tenant. */
    const renewOwn = async () => {
      if (isDeepStrictEqual(await hashOrganizationTables(rows), unchanged)) return;
      own = await createTenant({ system, rows }, ours);
      unchanged = await hashOrganizationTables(rows);
    };

    describe.each(withIds)("$declared.name", ({ declared, calling, call, cells }) => {
      let before: unknown;
      beforeAll(async () => {
        await renewOwn();
        before = await everything();
      });
      const withIdsOf = (another: TenantIds, cell: readonly string[]): Sent => {
        const other = call({ ...another, freeSlug: another.organizationSlug });
        return cell.reduce((sent, place) => write(sent, place, read(other, place)), call(own));
      };

      test("foreign ids are rejected, and reveal and change nothing", async () => {
        for (const cell of cells) {
          const answer = await callAs(calling.by, declared, withIdsOf(foreign, cell));
          const { status, body, cookies } = answer;
          const { code } = body as { code: string };
          expect(declaredErrors(declared), cell.join()).toContainEqual({ status, code });
          expect([Object.keys(body as object), cookies]).toEqual([["code", "message"], []]);
          if (!cell.some((place) => calling.tells?.includes(place)))
            expect([cell, answer]).toEqual([
              cell,
              await callAs(calling.by, declared, withIdsOf(named, cell)),
            ]);
        }
        expect(await everything()).toEqual(before);
      });

      test("own ids are accepted", async () => {
        expect(await callAs(calling.by, declared, call(own))).toMatchObject({ status: 200 });
      });
    });
  },
);
