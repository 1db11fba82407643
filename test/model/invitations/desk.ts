import { ask } from "../ask.ts";
import type { Side } from "../check-model.ts";
import { type House, replicaCount } from "../house.ts";
import { ofService, type Somebody } from "../people.ts";
import type { InvitationCall } from "./calls.ts";
import { createIds, type Ids } from "./ids.ts";
import { nameCall } from "./name-call.ts";
import { founders, people, type Picked } from "./picked.ts";
import { requestOf } from "./requests.ts";
import { createWindow } from "./window.ts";

let count = 0;

/** The organizations that there are from the start. */
const found = async (house: House, ids: Ids): Promise<void> => {
  for (const [name, person] of Object.entries(founders)) {
    const { said, body } = await ask<{ id: string; members: { id: string }[] }>(
      `${house.gateways[0]}/organization/create`,
      ids.cookieOf(person),
      { name, slug: `model-${(count += 1)}` },
    );
    if (said !== "200") throw new Error(`founding ${name}: ${said}`);
    ids.organizations.add(name, body.id);
    ids.members.add(`founder of ${name}`, body.members[0]?.id ?? "");
  }
};

/** Makes calls in the names of people, and looks at what they see. */
export const openDesk = async (
  house: House,
  somebody: ReadonlyMap<string, Somebody>,
): Promise<Pick<Side<Picked, InvitationCall>, "look" | "name" | "send">> => {
  const ids = createIds(somebody);
  await found(house, ids);
  const recipients = new Map<string, string>();
  const { look } = createWindow(house, ids);
  let lookCount = 0;
  return {
    name: (one, id) => nameCall({ ids, recipients }, one, id),
    send: async (call, replica) => {
      const { path, body, keep } = requestOf(ids, call);
      const answer =
        "by" in call
          ? ask(`${house.gateways[replica]}/organization${path}`, ids.cookieOf(call.by), body)
          : ask(
              `${house.inside.organization[replica]}/internal/organization${path}`,
              ofService,
              body,
            );
      const { said, body: made } = await answer;
      if (said !== "200") return said;
      if (call.kind === "invite") recipients.set(call.invitation, call.person);
      keep?.(made as object); // what else it holds does not matter
      return said;
    },
    look: async () => {
      lookCount += 1;
      return look(
        people.map((person, index) => ({ person, replica: (lookCount + index) % replicaCount })),
      );
    },
  };
};
