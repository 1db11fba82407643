import type { Translation } from "../../messages.ts";

export const sessions: Translation<"account", "sessions"> = {
  title: "セッション",
  lead: "サインインしているブラウザーと端末です。",
  list: "有効なセッション",
  device: "{{browser}}（{{system}}）",
  unknownDevice: "不明な端末",
  current: "このセッション",
  address: "IP アドレス {{address}}",
  started: "サインイン",
  lastActive: "最終アクティビティ",
  expires: "終了",
  end: "セッションを終了",
  endOf: "{{device}} のセッションを終了",
  ended: "セッションを終了しました。",
  endOthers: "他をすべて終了",
  endOthersTitle: "他のすべてのセッションを終了しますか？",
  endOthersText: "ここではサインインしたままになり、他ではすべてサインアウトされます。",
  othersEnded: "他のすべてのセッションを終了しました。",
};
