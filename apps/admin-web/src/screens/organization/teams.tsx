import { Plus } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import { countText } from "./count-text.ts";
import { CutNotice } from "./cut-notice.tsx";
import { TeamForm } from "./team-form.tsx";
import { TeamMenu } from "./team-menu.tsx";
import type { Organization, Team } from "./use-organization.ts";

const columns: readonly TableColumn[] = [
  "Team",
  { name: "Members", priority: "high" },
  { name: "Created", priority: "medium" },
  { name: "Updated", priority: "low" },
  { name: "ID", priority: "low" },
];
const changeableColumns: readonly TableColumn[] = [...columns, "Actions"];

const CreateTeamButton = ({ organizationId }: { organizationId: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        <Plus />
        Create team
      </Button>
      {isOpen && (
        <TeamForm
          operation={operations.organization.adminCreateTeam}
          inputOf={(name) => ({ params: { id: organizationId }, body: { name } })}
          title="Create team"
          action="Create team"
          name=""
          done={(name) => `${name} created.`}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
};

const TeamTable = ({ teams, mayChange }: { teams: readonly Team[]; mayChange: boolean }) => (
  <div className="rounded-lg border bg-surface">
    <Table label="teams" columns={mayChange ? changeableColumns : columns}>
      {teams.map((team) => (
        <TableRow
          key={team.id}
          cells={{
            name: (
              <bdi className="block max-w-96 truncate font-medium" title={team.name}>
                {team.name}
              </bdi>
            ),
            members: countText(team.memberCount),
            created: <RelativeTime at={team.createdAt} isStacked />,
            changed: <RelativeTime at={team.updatedAt} isStacked />,
            id: <CopyId id={team.id} of={team.name} hidesId />,
            ...(mayChange && { actions: <TeamMenu team={team} /> }),
          }}
        />
      ))}
    </Table>
  </div>
);

/** Lists the teams of an organization, and creates and changes them. */
export const Teams = ({
  organization: { id, teams, teamCount },
}: {
  organization: Organization;
}) => {
  const { may } = useAccess();
  const mayChange = may("organization:update");
  if (teams === null)
    return (
      <EmptyState title="Teams are off">
        To turn them on, set the option organization.teams.enabled.
      </EmptyState>
    );
  return (
    <>
      {mayChange && (
        <div className="mb-3 flex justify-end">
          <CreateTeamButton organizationId={id} />
        </div>
      )}
      <CutNotice what="first teams" shown={teams.length} count={teamCount ?? 0} />
      {teams.length === 0 ? (
        <EmptyState title="No teams">
          {mayChange
            ? "Create one here, or let members create them in your application."
            : "Members create teams in your application."}
        </EmptyState>
      ) : (
        <TeamTable teams={teams} mayChange={mayChange} />
      )}
    </>
  );
};
