import { showEmail } from "@latchkey/contracts/email-address.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { SearchBox } from "@latchkey/ui/components/search-box.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { OpenDialog as Dialog } from "../../components/account/open-dialog.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { useTranslation } from "../../languages.ts";
import { MemberPagination, useMemberPage } from "./member-pages.tsx";
import type { Member, Team } from "./organization.ts";

const { addTeamMember, listMembers, removeTeamMember } = operations.organization;

/** The most matches of a search for a new member. */
const matchesMax = "8";

export interface TeamDialogProps {
  team: Team;
  onClose: () => void;
}

const MatchRow = ({ team, member }: { team: Team; member: Member }) => {
  const t = useTranslation("organizations");
  const { id: teamId, organizationId } = team;
  const { userId, user } = member;
  const add = useOperation(addTeamMember, { done: t("teams.added"), showsError: true });
  return (
    <Row
      mark={<Picture name={user.name} address={user.image} />}
      title={<bdi>{user.name}</bdi>}
      details={<bdi>{showEmail(user.email)}</bdi>}
      actions={
        <Button
          aria-label={t("teams.addOne", { name: user.name })}
          isBusy={add.isPending}
          onClick={() => add.mutate({ body: { teamId, userId, organizationId } })}
        >
          {t("teams.addAction")}
        </Button>
      }
    />
  );
};

/** Finds members of the organization, and adds them to a team. */
const AddMembers = ({ team, present }: { team: Team; present: readonly Member[] }) => {
  const t = useTranslation("organizations");
  const [searchValue, setSearchValue] = useState("");
  const { organizationId } = team;
  const matches = useQuery({
    ...operationQuery(listMembers, { query: { organizationId, searchValue, limit: matchesMax } }),
    enabled: searchValue !== "",
  });
  return (
    <section className="flex flex-col gap-2" aria-label={t("teams.add")}>
      <h3 className="font-medium">{t("teams.add")}</h3>
      <SearchBox
        label={t("members.search")}
        value={searchValue}
        onChange={(text) => setSearchValue(text.trim())}
      />
      {searchValue !== "" && (
        <Reading of={matches}>
          {({ members }) => {
            const others = members.filter((one) => !present.some(({ id }) => id === one.id));
            return others.length === 0 ? (
              <p role="status" className="text-muted">
                {t("members.noMatch")}
              </p>
            ) : (
              <Rows label={t("members.search")}>
                {others.map((member) => (
                  <MatchRow key={member.id} team={team} member={member} />
                ))}
              </Rows>
            );
          }}
        </Reading>
      )}
    </section>
  );
};

const TeamMemberMenu = ({ team, member }: { team: Team; member: Member }) => {
  const t = useTranslation("organizations");
  const remove = useOperation(removeTeamMember, {
    done: t("teams.memberRemoved"),
    showsError: true,
  });
  const { id: teamId, organizationId } = team;
  return (
    <RowMenu name={member.user.name} isBusy={remove.isPending}>
      <MenuItem
        isDangerous
        onSelect={() => remove.mutate({ body: { teamId, userId: member.userId, organizationId } })}
      >
        {t("teams.removeMember")}
      </MenuItem>
    </RowMenu>
  );
};

/** Lists the members of a team, adds members of the organization and takes them out. */
export const TeamMembers = ({ team, onClose }: TeamDialogProps) => {
  const t = useTranslation("organizations");
  const { id, organizationId, name } = team;
  const may = usePermissions(organizationId, ["team:update"]);
  const { page, onPrevious, onNext } = useMemberPage(organizationId, id);
  const mayChange = may("team:update");
  return (
    <Dialog title={name} onClose={onClose}>
      <Reading of={page}>
        {({ members, total }) => (
          <div className="flex flex-col gap-4">
            {mayChange && <AddMembers team={team} present={members} />}
            {members.length === 0 ? (
              <EmptyState title={t("teams.empty")} />
            ) : (
              <Rows label={t("tabs.members")}>
                {members.map((member) => (
                  <Row
                    key={member.id}
                    mark={<Picture name={member.user.name} address={member.user.image} />}
                    title={<bdi>{member.user.name}</bdi>}
                    details={<bdi>{showEmail(member.user.email)}</bdi>}
                    actions={mayChange && <TeamMemberMenu team={team} member={member} />}
                  />
                ))}
              </Rows>
            )}
            <MemberPagination
              total={total ?? members.length}
              onPrevious={onPrevious}
              onNext={onNext}
            />
          </div>
        )}
      </Reading>
    </Dialog>
  );
};
