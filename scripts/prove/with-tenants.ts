import { isDeepStrictEqual } from "node:util";
import type { Operation } from "@latchkey/contracts";
import type { Found } from "./check.ts";
import type { Ground, Person } from "./ground.ts";
import type { TenantIds } from "./input-of.ts";
import { withOrganization } from "./organizations.ts";
import { settle } from "./tenants.ts";

/** Takes down what came of requests. */
export interface Judge {
  /** Refused as it must be. */
  note(operation: Operation): void;
  /** Not offered here. */
  leaveOut(operation: Operation): void;
  blame(problem: string): void;
}

export interface Scene {
  theirs: { ids: TenantIds };
  ours: { ids: TenantIds };
  /** Who has a tenant of their own, and no part in the other. */
  attacker: Person;
  /** A plain member of the other tenant. */
  member: Person;
  judge: Judge;
}

const createJudge = () => {
  let requests = 0;
  const asked = new Set<string>();
  const leftOut = new Set<string>();
  const problems: string[] = [];
  const judge: Judge = {
    note: ({ name }) => {
      requests += 1;
      asked.add(name);
    },
    leaveOut: ({ name }) => leftOut.add(name),
    blame: (problem) => {
      requests += 1;
      problems.push(problem);
    },
  };
  const figures = () =>
    `${requests} requests to ${asked.size} operations; ${leftOut.size} are switched off here`;
  return { judge, problems, figures };
};

/** Has two tenants, and sees that one of them is as before once the other has done its worst. */
export const withTenants = async (
  ground: Ground,
  attack: (scene: Scene) => Promise<void>,
): Promise<Found> => {
  const { ada, bob, mia } = await ground.people();
  return withOrganization(ground, ada, async (adas) =>
    withOrganization(ground, bob, async (bobs) => {
      const theirs = await settle(ground, { owner: ada, organizationId: adas, member: mia });
      const ours = await settle(ground, { owner: bob, organizationId: bobs });
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
