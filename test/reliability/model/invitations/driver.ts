import { sendRequest } from "../send-request.ts";
import type { Side } from "../check-model.ts";
import { type ModelSystem, replicaCount } from "../system.ts";
import { serviceHeaders } from "../../../harness/operations.ts";
import type { Somebody } from "../users.ts";
import type { InvitationCall } from "./calls.ts";
import { createIds, type Ids } from "./ids.ts";
import { nameCall } from "./name-call.ts";
import { founders, userNames, type Picked } from "./picked.ts";
import { requestOf } from "./requests.ts";
import { createWindow } from "./window.ts";

let count = 0;

/** Creates the initial organizations. */
const createOrganizations = async (system: ModelSystem, ids: Ids): Promise<void> => {
  for (const [name, person] of Object.entries(founders)) {
    const { said, body } = await sendRequest<{ id: string; members: { id: string }[] }>(
      `${system.gateways[0]}/organization/create`,
      ids.cookieOf(person),
      { name, slug: `model-${(count += 1)}` },
    );
    if (said !== "200") throw new Error(`founding ${name}: ${said}`);
    ids.organizations.add(name, body.id);
    ids.members.add(`founder of ${name}`, body.members[0]?.id ?? "");
  }
};

/** Makes calls in users' names, and reads what they see. */
export const openDriver = async (
  system: ModelSystem,
  somebody: ReadonlyMap<string, Somebody>,
): Promise<Pick<Side<Picked, InvitationCall>, "look" | "name" | "send">> => {
  const ids = createIds(somebody);
  await createOrganizations(system, ids);
  const recipients = new Map<string, string>();
  const { look } = createWindow(system, ids);
  let lookCount = 0;
  return {
    name: (one, id) => nameCall({ ids, recipients }, one, id),
    send: async (call, replica) => {
      const { path, body, keep } = requestOf(ids, call);
      const answer =
        "by" in call
          ? sendRequest(
              `${system.gateways[replica]}/organization${path}`,
              ids.cookieOf(call.by),
              body,
            )
          : sendRequest(
              `${system.urlOf("organization", replica)}/internal/organization${path}`,
              serviceHeaders,
              body,
            );
      const { said, body: made } = await answer;
      if (said !== "200") return said;
      keep?.(made as object); // its other content is irrelevant
      if (call.kind === "invite") {
        recipients.set(call.invitation, call.person);
        // No address is verified here, so the recipient sees the opened invitation by its mailed id.
        const opened = `/organization/get-invitation?id=${ids.invitations.idOf(call.invitation)}`;
        await sendRequest(`${system.gateways[replica]}${opened}`, ids.cookieOf(call.person));
      }
      return said;
    },
    look: async () => {
      lookCount += 1;
      return look(
        userNames.map((person, index) => ({ person, replica: (lookCount + index) % replicaCount })),
      );
    },
  };
};
