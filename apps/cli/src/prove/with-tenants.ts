import { isDeepStrictEqual } from "node:util";
import type { Operation } from "@latchkey/contracts";
import type { Found } from "./check.ts";
import type { CheckContext, Person } from "./check-context.ts";
import type { TenantIds } from "./input-of.ts";
import { withOrganization } from "./organizations.ts";
import { settle } from "./tenants.ts";

/** Records the outcomes of requests. */
export interface Judge {
  /** Records a correct refusal. */
  note(operation: Operation): void;
  /** Records an operation that is not offered. */
  leaveOut(operation: Operation): void;
  blame(problem: string): void;
}

export interface Scene {
  theirs: { ids: TenantIds };
  ours: { ids: TenantIds };
  /** The owner of another tenant, without rights in this one. */
  attacker: Person;
  /** A plain member of the other tenant. */
  member: Person;
  judge: Judge;
}

const createJudge = () => {
  let requests = 0;
  const calledOperations = new Set<string>();
  const leftOut = new Set<string>();
  const problems: string[] = [];
  const judge: Judge = {
    note: ({ name }) => {
      requests += 1;
      calledOperations.add(name);
    },
    leaveOut: ({ name }) => leftOut.add(name),
    blame: (problem) => {
      requests += 1;
      problems.push(problem);
    },
  };
  const figures = () =>
    `${requests} requests to ${calledOperations.size} operations; ${leftOut.size} are switched off here`;
  return { judge, problems, figures };
};

/** Creates two tenants and compares one of them before and after the other's attack. */
export const withTenants = async (
  context: CheckContext,
  attack: (scene: Scene) => Promise<void>,
): Promise<Found> => {
  const { ada, bob, mia } = await context.people();
  return withOrganization(context, ada, async (adas) =>
    withOrganization(context, bob, async (bobs) => {
      const theirs = await settle(context, { owner: ada, organizationId: adas, member: mia });
      const ours = await settle(context, { owner: bob, organizationId: bobs });
      const { judge, problems, figures } = createJudge();
      const before = await theirs.look();
      await attack({ theirs, ours, attacker: bob, member: mia, judge });
      const isAsBefore = isDeepStrictEqual(await theirs.look(), before);
      return {
        figures: figures(),
        problems: isAsBefore ? problems : [...problems, "the other tenant is not as it was before"],
      };
    }),
  );
};
