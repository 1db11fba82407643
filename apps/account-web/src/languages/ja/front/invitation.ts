import type { Translation } from "../../messages.ts";

export const invitation: Translation<"front", "invitation"> = {
  title: "{{organization}} に参加",
  text: "{{inviter}} さんが、ロール {{role}} であなたを招待しています。",
  accept: "招待を承諾する",
  decline: "辞退する",
  accepted: "{{organization}} のメンバーになりました。",
  declined: "招待を辞退しました。",
  signedOut: {
    title: "招待が届いています",
    text: "招待が届いたメールアドレスでサインインするか、そのメールアドレスでアカウントを作成してください。",
    signIn: "サインイン",
    signUp: "アカウントを作成",
  },
  other: {
    title: "この招待は別のメールアドレス宛てです",
    text: "{{email}} としてサインインしています。招待が届いたメールアドレスでサインインしてください。",
    signOut: "別のアカウントを使用",
  },
  unverified: {
    title: "先にメールアドレスを確認してください",
    text: "この招待は {{email}} の所有者だけが表示できます。このページに戻るリンクをお送りします。",
    send: "リンクを送信",
    sent: "リンクを送信しました。このブラウザーで開いてください。",
  },
  gone: {
    title: "この招待は無効になりました",
    text: "回答済み、取り消し済み、または期限切れです。新しい招待を依頼してください。",
  },
};
