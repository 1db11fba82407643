import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import { DropdownMenu, MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { TeamForm } from "./team-form.tsx";
import { TeamMembers } from "./team-members.tsx";
import type { Team } from "./use-organization.ts";

interface OneTeam {
  team: Team;
  onClose: () => void;
}

const { adminUpdateTeam, adminRemoveTeam } = operations.organization;

const RenameDialog = ({ team, onClose }: OneTeam) => (
  <TeamForm
    operation={adminUpdateTeam}
    inputOf={(name) => ({ params: { id: team.organizationId }, body: { teamId: team.id, name } })}
    title="Rename team"
    action="Rename"
    name={team.name}
    done={(name) => `Team renamed to ${name}.`}
    onClose={onClose}
  />
);

const RemoveDialog = ({ team, onClose }: OneTeam) => (
  <Confirm
    operation={adminRemoveTeam}
    input={{ params: { id: team.organizationId }, body: { teamId: team.id } }}
    title={`Remove ${team.name}?`}
    action="Remove team"
    done={`${team.name} removed.`}
    onClose={onClose}
  >
    The team is permanently removed. Its members stay in the organization, without a team.
  </Confirm>
);

/** The actions on a team. */
export const TeamMenu = ({ team }: { team: Team }) => {
  const [asked, setAsked] = useState<"members" | "rename" | "remove">();
  const onClose = () => setAsked(undefined);
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton label={`Actions on ${team.name}`}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked("members")}>Members…</MenuItem>
        <MenuItem onSelect={() => setAsked("rename")}>Rename…</MenuItem>
        <MenuItem isDangerous onSelect={() => setAsked("remove")}>
          Remove…
        </MenuItem>
      </DropdownMenu>
      {asked === "members" && <TeamMembers team={team} onClose={onClose} />}
      {asked === "rename" && <RenameDialog team={team} onClose={onClose} />}
      {asked === "remove" && <RemoveDialog team={team} onClose={onClose} />}
    </>
  );
};
