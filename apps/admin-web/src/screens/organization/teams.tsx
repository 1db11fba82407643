import { CopyId } from "../../components/ui/copy-id.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { Table, TableRow } from "../../components/ui/table.tsx";
import { countText } from "./count-text.ts";
import { CutNotice } from "./cut-notice.tsx";
import type { Organization } from "./use-organization.ts";

const columns = ["Team", "Members", "Created", "Updated", "ID"];

/** Lists the teams of an organization. */
export const Teams = ({ organization: { teams, teamCount } }: { organization: Organization }) => {
  if (teams === null)
    return (
      <EmptyState title="Teams are off">
        To turn them on, set the option organization.teams.enabled.
      </EmptyState>
    );
  if (teams.length === 0)
    return <EmptyState title="No teams">Members create teams in your application.</EmptyState>;
  return (
    <>
      <CutNotice what="first teams" shown={teams.length} count={teamCount ?? 0} />
      <div className="rounded-lg border bg-surface">
        <Table label="teams" columns={columns}>
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
              }}
            />
          ))}
        </Table>
      </div>
    </>
  );
};
