import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { SearchBox } from "@latchkey/ui/components/search-box.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { RowMenu } from "../../components/account/rows.tsx";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";
import { InviteMember } from "./invitations.tsx";
import { ChangeRole, isOwner, RemoveMember, TransferOwnership } from "./member-dialogs.tsx";
import { MemberPagination, useMemberPage } from "./member-pages.tsx";
import type { Member, Organization, PartProps } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";

interface OpenDialog {
  name: "role" | "transfer" | "remove";
  member: Member;
}

interface MemberMenuProps {
  member: Member;
  isOwn: boolean;
  /** Whether the signed-in user can make this member the owner. */
  mayTransfer: boolean;
  may: ReturnType<typeof usePermissions<"member:update" | "member:delete">>;
  onOpen: (open: OpenDialog) => void;
}

/** The actions on a member that the role of the user permits. */
const MemberMenu = ({ member, isOwn, mayTransfer, may, onOpen }: MemberMenuProps) => {
  const t = useTranslation("organizations");
  const mayRemove = may("member:delete") && !isOwn;
  if (!may("member:update") && !mayRemove) return null;
  const open = (name: OpenDialog["name"]) => () => onOpen({ name, member });
  return (
    <RowMenu name={member.user.name}>
      {may("member:update") && (
        <MenuItem onSelect={open("role")}>{t("members.changeRole")}</MenuItem>
      )}
      {may("member:update") && mayTransfer && (
        <MenuItem onSelect={open("transfer")}>{t("transfer.action")}</MenuItem>
      )}
      {mayRemove && (
        <MenuItem isDangerous onSelect={open("remove")}>
          {t("members.remove")}
        </MenuItem>
      )}
    </RowMenu>
  );
};

const MemberName = ({ member: { user }, isOwn }: { member: Member; isOwn: boolean }) => {
  const t = useTranslation("organizations");
  const { name, email, image } = user;
  return (
    <div className="flex min-h-13 items-center gap-3">
      <div className="@max-lg/table:hidden">
        <Picture name={name} address={image} />
      </div>
      <div className="min-w-0">
        <div className="flex min-w-0 items-center gap-2 font-medium">
          <bdi className="min-w-0 truncate">{name}</bdi>
          {isOwn && <Badge tone="success">{t("members.you")}</Badge>}
        </div>
        <div className="truncate text-sm text-muted" title={showEmail(email)}>
          <bdi>{showEmail(email)}</bdi>
        </div>
      </div>
    </div>
  );
};

interface MemberTableProps {
  organization: Organization;
  members: readonly Member[];
  /** The id of the signed-in user. */
  userId: string | undefined;
  /** The membership of the signed-in user, once it is read. */
  own: Member | undefined;
  onOpen: (open: OpenDialog) => void;
}

const MemberTable = ({ organization, members, userId, own, onOpen }: MemberTableProps) => {
  const t = useTranslation("organizations");
  const { id, teams } = organization;
  const roleNames = useRoleNames();
  const may = usePermissions(id, ["member:update", "member:delete"]);
  const ownsOrganization = own !== undefined && isOwner(own.role);
  const cellsOf = (member: Member, isOwn: boolean) => ({
    name: <MemberName member={member} isOwn={isOwn} />,
    role: roleNames(member.role),
    ...(teams && { team: teams.find((team) => team.id === member.teamId)?.name }),
    joined: <Moment at={member.createdAt} isDay />,
    menu: (
      <div className="flex justify-end">
        <MemberMenu
          member={member}
          isOwn={isOwn}
          mayTransfer={ownsOrganization && !isOwn && !isOwner(member.role)}
          may={may}
          onOpen={onOpen}
        />
      </div>
    ),
  });
  return (
    <div className="rounded-md border">
      <Table
        label={t("tabs.members")}
        columns={[
          t("name"),
          t("role"),
          ...(teams ? [{ name: t("sent.team"), priority: "medium" } as const] : []),
          { name: t("members.joined"), priority: "high" },
          { name: t("members.actions"), hidesName: true },
        ]}
      >
        {members.map((member) => (
          <TableRow key={member.id} cells={cellsOf(member, member.userId === userId)} />
        ))}
      </Table>
    </div>
  );
};

const { listMembers } = operations.organization;

/** Returns the membership of a user, once it is read. */
const useMembership = (organizationId: string, userId: string | undefined) => {
  const filter = { filterField: "userId", filterValue: userId, limit: "1" } as const;
  const { data } = useQuery({
    ...operationQuery(listMembers, { query: { organizationId, ...filter } }),
    enabled: userId !== undefined,
  });
  return data?.members[0];
};

/** The members of an organization, with their roles. */
export const Members = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(organization.id, ["invitation:create"]);
  const [open, setOpen] = useState<OpenDialog>();
  const [isInviting, setIsInviting] = useState(false);
  const { data: session } = useQuery(sessionQuery);
  const { page, searchValue, search, onPrevious, onNext } = useMemberPage(organization.id);
  const userId = session?.user.id;
  const own = useMembership(organization.id, userId);
  const onClose = () => setOpen(undefined);
  return (
    <Panel
      title={t("tabs.members")}
      actions={
        may("invitation:create") && (
          <Button kind="primary" onClick={() => setIsInviting(true)}>
            {t("sent.invite")}
          </Button>
        )
      }
    >
      <SearchBox label={t("members.search")} value={searchValue} onChange={search} />
      <Reading of={page}>
        {({ members, total }) => (
          <>
            {members.length === 0 ? (
              <EmptyState title={t("members.noMatch")} />
            ) : (
              <MemberTable
                organization={organization}
                members={members}
                userId={userId}
                own={own}
                onOpen={setOpen}
              />
            )}
            <MemberPagination
              total={total ?? members.length}
              onPrevious={onPrevious}
              onNext={onNext}
            />
          </>
        )}
      </Reading>
      {open?.name === "role" && <ChangeRole member={open.member} onClose={onClose} />}
      {open?.name === "transfer" && own && (
        <TransferOwnership member={open.member} own={own} onClose={onClose} />
      )}
      {open?.name === "remove" && <RemoveMember member={open.member} onClose={onClose} />}
      {isInviting && (
        <InviteMember organization={organization} onClose={() => setIsInviting(false)} />
      )}
    </Panel>
  );
};
