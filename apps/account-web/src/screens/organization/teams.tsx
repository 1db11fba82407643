import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/account/panel.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import type { PartProps, Team } from "./organization.ts";
import { CreateTeam, DeleteTeam, RenameTeam } from "./team-dialogs.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";

interface OpenDialog {
  Dialog: typeof RenameTeam;
  team: Team;
}

interface TeamRowProps {
  team: Team;
  memberCount: number;
  may: ReturnType<typeof usePermissions<"team:create" | "team:update" | "team:delete">>;
  onOpen: (open: OpenDialog) => void;
}

const TeamRow = ({ team, memberCount, may, onOpen }: TeamRowProps) => {
  const { t } = useTranslation("organizations");
  const { name } = team;
  return (
    <Row
      title={<bdi>{name}</bdi>}
      details={t("teams.count", { count: memberCount })}
      actions={
        <>
          {may("team:update") && (
            <Button
              aria-label={t("teams.renameOne", { name })}
              onClick={() => onOpen({ Dialog: RenameTeam, team })}
            >
              {t("teams.rename")}
            </Button>
          )}
          {may("team:delete") && (
            <Button
              aria-label={t("teams.deleteOne", { name })}
              onClick={() => onOpen({ Dialog: DeleteTeam, team })}
            >
              {t("teams.delete")}
            </Button>
          )}
        </>
      }
    />
  );
};

/** The teams of an organization. */
export const Teams = ({ organization: { id, teams, members } }: PartProps) => {
  const { t } = useTranslation("organizations");
  const may = usePermissions(id, ["team:create", "team:update", "team:delete"]);
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<OpenDialog>();
  return (
    <Panel
      title={t("tabs.teams")}
      actions={
        may("team:create") && (
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            {t("teams.create")}
          </Button>
        )
      }
    >
      {teams?.length ? (
        <Rows label={t("tabs.teams")}>
          {teams.map((team) => (
            <TeamRow
              key={team.id}
              team={team}
              memberCount={members.filter(({ teamId }) => teamId === team.id).length}
              may={may}
              onOpen={setOpen}
            />
          ))}
        </Rows>
      ) : (
        <EmptyState title={t("teams.none")} />
      )}
      {isCreating && <CreateTeam organizationId={id} onClose={() => setIsCreating(false)} />}
      {open && <open.Dialog team={open.team} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
};
