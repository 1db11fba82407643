import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A member of an organization: the actions on keys that their role permits, and whether they lack a second factor. */
interface StandInMember {
  actions: readonly string[];
  lacksSecondFactor?: boolean;
}

interface Asked {
  userId: string;
  organizationId: string;
  action: string;
  ids: string[];
}

/** Replaces the organization service. Tests set the members of its organizations. */
export const standInForOrganization = async () => {
  /** Organization id to user id to member. */
  const organizations = new Map<string, Map<string, StandInMember>>();
  const verdictOf = ({ userId, organizationId, action }: Asked) => {
    const member = organizations.get(organizationId)?.get(userId);
    if (!member) return "not a member";
    if (member.lacksSecondFactor) return "second factor required";
    return member.actions.includes(action) ? "allowed" : "forbidden";
  };
  const replyTo = (path: string, asked: Asked): object => {
    if (path.endsWith("/authorize-member")) return { verdict: verdictOf(asked) };
    if (path.endsWith("/list-key-organization-owners")) {
      const members = organizations.get(asked.organizationId);
      return { userIds: members ? [...members.keys()] : null };
    }
    const ids = asked.ids.filter((id) => organizations.has(id));
    return { organizations: ids.map((id) => ({ id, name: "Acme", slug: `acme-${id}` })) };
  };
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        const reply = replyTo(request.url ?? "", body as Asked);
        response.setHeader("content-type", "application/json").end(JSON.stringify(reply));
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { organizations, to, close: () => server.close() };
};
