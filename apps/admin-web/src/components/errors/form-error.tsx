import { adviceOf, messageOf } from "../../api/advice-of.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";

/** Shows why a form was refused and what to do about it. */
export const FormError = ({ error }: { error: unknown }) => (
  <Notice tone="danger" isUrgent>
    <p className="font-medium">{messageOf(error)}</p>
    <p>{adviceOf(error)}</p>
  </Notice>
);
