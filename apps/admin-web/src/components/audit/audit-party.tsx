import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAccess } from "../../access/use-access.ts";
import { CopyId } from "../ui/copy-id.tsx";
import { UserLabel } from "../users/user-label.tsx";
import { partyName } from "./party-name.ts";

const linkStyle = "rounded hover:underline";

interface PartyProps {
  kind: string;
  id: string | null;
  /** Shows the email address of a user below the name, in a cell of a table. */
  isStacked?: boolean | undefined;
  /** Shows the id of a user too, not only the button that copies it. */
  showsId?: boolean | undefined;
}

/** Names what is no user, linked to its screen if there is one. */
const KindLink = ({ kind, id }: { kind: string; id: string }): ReactNode => {
  const { may } = useAccess();
  const name = partyName(kind);
  if (kind === "organization" && may("organization:get"))
    return (
      <Link
        to="/organizations/$organizationId"
        params={{ organizationId: id }}
        className={linkStyle}
      >
        {name}
      </Link>
    );
  if (kind === "api-key" && may("apiKey:list"))
    return (
      <Link to="/api-keys/$keyId" params={{ keyId: id }} className={linkStyle}>
        {name}
      </Link>
    );
  return name;
};

/** Names the actor or the subject of an audit entry: users by name and email address, the rest by kind and id. */
export const AuditParty = ({ kind, id, isStacked, showsId }: PartyProps) => {
  if (id === null) return partyName(kind);
  if (kind === "user") return <UserLabel id={id} isStacked={isStacked} showsId={showsId} />;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <KindLink kind={kind} id={id} />
      <CopyId id={id} of={`this ${partyName(kind).toLowerCase()}`} />
    </span>
  );
};
