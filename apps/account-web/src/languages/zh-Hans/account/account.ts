import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  navigation: "您的账户",
  menu: "菜单",
  skip: "跳转到内容",
  signOut: "退出登录",
  close: "关闭",
  dismiss: "忽略",
  copied: "已复制",
  copyFailed: "浏览器阻止了复制。请手动复制。",
  secret: {
    keep: "请立即复制并保存在安全的地方。之后将无法再次显示。",
    lost: "您尚未复制。之后将无法再次显示。再次关闭将放弃它。",
    copy: "复制",
    done: "完成",
  },
  yourPassword: "您的密码",
  screens: {
    profile: "个人资料",
    security: "安全",
    sessions: "会话",
    apiKeys: "API 密钥",
    organizations: "组织",
    data: "您的数据",
  },
  theme: { label: "主题", system: "跟随系统", light: "浅色", dark: "深色" },
  stepUp: {
    title: "请确认是您本人",
    text: "此更改要求您近期登录过。",
    passkey: "使用通行密钥",
    noPassword: "没有密码？请退出登录，然后重新登录。之后您将返回此页面。",
  },
};
