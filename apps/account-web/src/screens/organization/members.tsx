import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { nextPlace, previousPlace } from "@latchkey/ui/components/cursor-trail.ts";
import { Pagination } from "@latchkey/ui/components/pagination.tsx";
import { SearchBox } from "@latchkey/ui/components/search-box.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
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
import { isOwner, memberDialogs } from "./member-dialogs.tsx";
import type { Member, Organization, PartProps } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";

interface OpenDialog {
  name: keyof typeof memberDialogs;
  member: Member;
}

interface MemberMenuProps {
  member: Member;
  /** The membership of the signed-in user. */
  own: Member | undefined;
  may: ReturnType<typeof usePermissions<"member:update" | "member:delete">>;
  onOpen: (open: OpenDialog) => void;
}

/** The actions on a member that the role of the user permits. */
const MemberMenu = ({ member, own, may, onOpen }: MemberMenuProps) => {
  const t = useTranslation("organizations");
  const isOwn = member.id === own?.id;
  const mayTransfer = own && isOwner(own.role) && !isOwn && !isOwner(member.role);
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
  /** The membership of the signed-in user. */
  own: Member | undefined;
  onOpen: (open: OpenDialog) => void;
}

const MemberTable = ({ organization, members, own, onOpen }: MemberTableProps) => {
  const t = useTranslation("organizations");
  const { id, teams } = organization;
  const roleNames = useRoleNames();
  const may = usePermissions(id, ["member:update", "member:delete"]);
  const cellsOf = (member: Member) => ({
    name: <MemberName member={member} isOwn={member.id === own?.id} />,
    role: roleNames(member.role),
    ...(teams && { team: teams.find((team) => team.id === member.teamId)?.name }),
    joined: <Moment at={member.createdAt} isDay />,
    menu: (
      <div className="flex justify-end">
        <MemberMenu member={member} own={own} may={may} onOpen={onOpen} />
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
          <TableRow key={member.id} cells={cellsOf(member)} />
        ))}
      </Table>
    </div>
  );
};

const { listMembers } = operations.organization;
const pageSize = 25;
const firstPage = { cursor: undefined, trail: [] };

/** Reads a page of members. The page before stays until it has arrived. */
const useMemberPage = (organizationId: string) => {
  const [searchValue, setSearchValue] = useState("");
  const [place, setPlace] = useState<ReturnType<typeof nextPlace>>(firstPage);
  const limit = String(pageSize);
  const { cursor } = place;
  const page = useQuery({
    ...operationQuery(listMembers, {
      query: {
        organizationId,
        limit,
        ...(searchValue && { searchValue }),
        ...(cursor && { cursor }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const { nextCursor } = page.data ?? {};
  const previous = previousPlace(place);
  return {
    page,
    searchValue,
    search: (text: string) => {
      setSearchValue(text.trim());
      setPlace(firstPage);
    },
    onPrevious: previous && (() => setPlace(previous)),
    onNext: nextCursor === undefined ? undefined : () => setPlace(nextPlace(place, nextCursor)),
  };
};

interface FootProps extends Pick<ReturnType<typeof useMemberPage>, "onNext" | "onPrevious"> {
  total: number;
}

/** The number of members, and the ways to other pages. */
const Foot = ({ total, onPrevious, onNext }: FootProps) => {
  const t = useTranslation("organizations");
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-muted">
        {t("teams.count", { count: total })}
      </p>
      {(onPrevious ?? onNext) && (
        <Pagination
          label={t("tabs.members")}
          texts={{
            pages: t("members.pages"),
            previous: t("members.previous"),
            next: t("members.next"),
          }}
          onPrevious={onPrevious}
          onNext={onNext}
        />
      )}
    </div>
  );
};

/** The members of an organization, with their roles. */
export const Members = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(organization.id, ["invitation:create"]);
  const [open, setOpen] = useState<OpenDialog>();
  const [isInviting, setIsInviting] = useState(false);
  const { data: session } = useQuery(sessionQuery);
  const { page, searchValue, search, onPrevious, onNext } = useMemberPage(organization.id);
  const own = organization.members.find(({ userId }) => userId === session?.user.id);
  const Dialog = open && memberDialogs[open.name];
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
                own={own}
                onOpen={setOpen}
              />
            )}
            <Foot total={total ?? members.length} onPrevious={onPrevious} onNext={onNext} />
          </>
        )}
      </Reading>
      {Dialog && own && (
        <Dialog member={open.member} own={own} onClose={() => setOpen(undefined)} />
      )}
      {isInviting && (
        <InviteMember organization={organization} onClose={() => setIsInviting(false)} />
      )}
    </Panel>
  );
};
