import { Notice } from "@latchkey/ui/components/notice.tsx";
import { countText } from "./count-text.ts";
import { t } from "../../texts.ts";

interface CutNoticeProps {
  /** The part that is shown. */
  part: "invitations.cut" | "teams.cut" | "teams.members.cut";
  shown: number;
  count: number;
}

/** Tells the admin that a list is incomplete. */
export const CutNotice = ({ part, shown, count }: CutNoticeProps) =>
  count > shown && (
    <div className="mb-3">
      <Notice>{t(part, { shown, count: countText(count) })}</Notice>
    </div>
  );
