import { Link } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { CopyId } from "../../components/ui/copy-id.tsx";

const linkStyle = "rounded underline underline-offset-2";

/** Links to the screen of a party, if there is one. */
const PartyLink = ({ kind, id }: { kind: string; id: string }) => {
  const { may } = useAccess();
  if (kind === "user" && may("user:list"))
    return (
      <Link to="/users/$userId" params={{ userId: id }} className={linkStyle}>
        Open user
      </Link>
    );
  if (kind === "organization" && may("organization:get"))
    return (
      <Link
        to="/organizations/$organizationId"
        params={{ organizationId: id }}
        className={linkStyle}
      >
        Open organization
      </Link>
    );
  if (kind === "api-key" && may("apiKey:list"))
    return (
      <Link to="/api-keys/$keyId" params={{ keyId: id }} className={linkStyle}>
        Open API key
      </Link>
    );
  return null;
};

interface EntryPartyProps {
  kind: string;
  id: string | null;
  /** Filters the log by this id. */
  onOnly: (id: string) => void;
  onlyText: string;
}

/** Shows the actor or the subject of an entry. */
export const EntryParty = ({ kind, id, onOnly, onlyText }: EntryPartyProps) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    {kind}
    {id !== null && (
      <>
        <CopyId id={id} of={`this ${kind}`} />
        <PartyLink kind={kind} id={id} />
        <button type="button" className={linkStyle} onClick={() => onOnly(id)}>
          {onlyText}
        </button>
      </>
    )}
  </span>
);
