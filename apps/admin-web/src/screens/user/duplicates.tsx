import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Users } from "lucide-react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";

const { adminListDuplicates } = operations.identity;
const route = getRouteApi("/shell/users/$userId");

type Reason = CallReply<typeof adminListDuplicates>["duplicates"][number]["reasons"][number];

const reasonTexts: Readonly<Record<Reason, string>> = {
  "same-mailbox": "has the same mailbox",
  "same-name": "has the same name",
};

/** Names the users who may be the same person, and offers to compare each. Renders nothing if there are none, or until they are known. */
export const Duplicates = ({ userId }: { userId: string }) => {
  const { data } = useQuery(operationQuery(adminListDuplicates, { params: { id: userId } }));
  if (!data || data.duplicates.length === 0) return null;
  return (
    <section aria-labelledby="duplicates" className="ui-card">
      <h2 id="duplicates" className="mb-1 flex items-center gap-2 font-semibold">
        <Users aria-hidden className="size-4 shrink-0" />
        May be the same person
      </h2>
      <ul aria-label="Possible duplicates">
        {data.duplicates.map(({ user, reasons }) => (
          <li
            key={user.id}
            className="flex flex-wrap items-center justify-between gap-x-4 border-t py-1.5 first:border-t-0"
          >
            <p className="min-w-0 break-words">
              <Link
                to="/users/$userId"
                params={{ userId: user.id }}
                className="rounded-sm font-medium hover:underline"
              >
                <bdi>{showEmail(user.email)}</bdi>
              </Link>{" "}
              {reasons.map((reason) => reasonTexts[reason]).join(" and ")}.
            </p>
            <route.Link
              to="."
              search={(was) => ({ ...was, compare: user.id })}
              aria-label={`Compare with ${showEmail(user.email)}`}
              className={buttonStyle("secondary", "small")}
            >
              Compare
            </route.Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
