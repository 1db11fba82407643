import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { useAccess } from "../../access/use-access.ts";
import { UserLabel } from "../users/user-label.tsx";
import { partyName } from "./audit-words.ts";
import { useNamedThing } from "./use-named-thing.ts";
import { t } from "../../texts.ts";

const linkStyle = "min-w-0 truncate rounded-sm hover:underline";

interface PartyProps {
  kind: string;
  id: string | null;
  /** Shows the email address of a user below the name, in a cell of a table. */
  isStacked?: boolean | undefined;
  /** Shows the id of a user too, not only the button that copies it. */
  showsId?: boolean | undefined;
}

interface ThingProps {
  kind: string;
  id: string;
  children: ReactNode;
}

/** Links to the screen of what is no user, if there is one. */
const ThingLink = ({ kind, id, children }: ThingProps): ReactNode => {
  const { may } = useAccess();
  if (kind === "organization" && may("organization:get"))
    return (
      <Link
        to="/organizations/$organizationId"
        params={{ organizationId: id }}
        className={linkStyle}
      >
        {children}
      </Link>
    );
  if (kind === "api-key" && may("apiKey:list"))
    return (
      <Link to="/api-keys/$keyId" params={{ keyId: id }} className={linkStyle}>
        {children}
      </Link>
    );
  if (kind === "oauth-client" && may("oauthClient:list"))
    return (
      <Link to="/clients/$clientId" params={{ clientId: id }} className={linkStyle}>
        {children}
      </Link>
    );
  if (kind === "webhook" && may("webhook:list"))
    return (
      <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className={linkStyle}>
        {children}
      </Link>
    );
  if (kind === "webhook-event" && may("webhook:read"))
    return (
      <Link to="/events" search={{ event: id }} className={linkStyle}>
        {children}
      </Link>
    );
  return children;
};

/** Names what is no user: by its name, and otherwise by its kind and id. */
const Thing = ({ kind, id, showsId = false }: PartyProps & { id: string }) => {
  const name = useNamedThing(kind, id);
  const kindName = partyName(kind);
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      {name ? (
        <>
          <span className="whitespace-nowrap text-muted">{kindName}</span>
          <ThingLink kind={kind} id={id}>
            <bdi title={name}>{name}</bdi>
          </ThingLink>
        </>
      ) : (
        <span className="whitespace-nowrap">
          {name === null ? (
            t("audit.deletedParty", { kind: kindName })
          ) : (
            <ThingLink kind={kind} id={id}>
              {kindName}
            </ThingLink>
          )}
        </span>
      )}
      <CopyId id={id} of={name ?? kindName} hidesId={Boolean(name) && !showsId} />
    </span>
  );
};

/** Names the actor or the subject of an audit entry: users by name and email address, the rest by name or kind and id. */
export const AuditParty = (props: PartyProps) => {
  const { kind, id, isStacked, showsId } = props;
  if (id === null) return partyName(kind);
  return kind === "user" ? (
    <UserLabel id={id} isStacked={isStacked} showsId={showsId} />
  ) : (
    <Thing {...props} id={id} />
  );
};
