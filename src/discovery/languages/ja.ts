/** Japanese words of each subject (see words.ts for their form). */
export const words = `
check: 確認 検証 チェック 正しい 有効 調べ
convert: 変換 換算 直す 変える
create: 作成 生成 作る 作り 書き出
read: 読み取 読み込 読む 解析 スキャン 解読
find: 見つけ 探す 探し
search: 検索 調べる
list: 一覧 リスト ランキング
count: 数える 件数 何件 何日
compare: 比較 違い 差分 比べ
delete: 削除 消す 消去
erase: 全消去 全削除 すべて消 全部消 抹消
everything: すべて 全部 全データ 全て
update: 更新 変更 増やす
cancel: 取り消 キャンセル 停止 中止 解約
status: 状態 状況 ステータス
get: 取得 読み出 ダウンロード
put: 保存 追加 入れる 格納 登録する 送信する
take: 取り出 受け取 取得
return: 戻す 返す 返却
again: 再送 もう一度 再び 再試行 再実行
send: 送る 送信
extend: 延長
release: 解放 解除
several: 複数 まとめて 一括
split: 分割 区切
extract: 抽出 取り出 抜き出
describe: 説明 描写
classify: 分類
sort: 並べ替 ソート
run: 実行
now: 現在 今の 今 リアルタイム
since: 以降 最近の
near: 最寄り 近く 近い
change: 変化 変わ 変更 交換
notify: 通知 知らせ
call: 呼び出 コール
message: メッセージ
words: 単語 キーワード 全文
text: 文章 テキスト 文字列
document: 文書 ドキュメント
file: ファイル
image: 画像 写真 絵 イメージ
word: ワード word パワーポイント エクセル オフィス
webpage: ウェブページ サイト ホームページ webページ html
table: 表を 表計算 テーブル
postal: 住所 郵便
format: 書式 書き方 形式 フォーマット
address: アドレス
news: ニュース 新着 出来事
drought: 干ばつ 渇水
harvest: 農業 収穫 作物
chat: チャット 会話
model: モデル 人工知能 ai
council: 複数のモデル 議論 意見 合議
names: 人名 固有表現 組織名 名前 名称
draw: 画像生成 描く 描い 画像を生成 画像を作
moderate: 有害 ヘイト 不適切 モデレーション 誹謗
ocr: 文字認識 文字起こし ocr 文字を読
personal: 個人情報
research: 調査 リサーチ
screenshot: スクリーンショット スクショ
sentiment: 感情 ネガティブ
summarize: 要約 まとめ
translate: 翻訳 訳す 和訳
language: 言語 英語
websearch: ウェブ検索 ネットで ネット検索 インターネット
question: 質問
aircraft: 航空機 飛行機 ヘリ
registration: 登録 機体番号
owner: 所有者 持ち主 オーナー
airport: 空港 飛行場
code: コード
accident: 事故 墜落
weather: 天気 気象 天候
hazard: 乱気流 着氷 雷雨 火山灰 危険
forecast: 予報
bank: 銀行
insured: 預金保険
statement: 入出金明細 取引明細 口座明細 明細
barcode: バーコード qrコード 二次元コード
batch: まとめて 一括 バッチ
gene: 遺伝子
protein: タンパク質 たんぱく
species: 学名 生物種 種の 動物 植物
unemployment: 失業
inflation: インフレ 物価 賃金
book: 本を 書籍 図書 本の
author: 著者 作家
brazil: ブラジル
company: 会社 企業 法人 取引先
match: 照合 特定 名寄せ
connecticut: コネチカット
officers: 役員 取締役
sanctions: 制裁
finland: フィンランド
france: フランス
ticker: ティッカー 銘柄コード
identifier: 識別子 番号 isbn
diligence: デューデリジェンス 信用調査 身元
lei: 取引主体識別子 lei 法人識別
subsidiary: 子会社 親会社
isin: isin
securities: 証券 債券
industry: 業種 産業
norway: ノルウェー
poland: ポーランド
usa: アメリカ 米国
registry: 登記 登録簿
britain: イギリス 英国
workday: 営業日 平日
date: 日付 日時
earnings: 決算
holiday: 祝日 休日 祭日
event: カレンダー 予定 イベント
ipo: 新規上場 新規公開 上場
population: 人口
income: 所得 収入
zip: 郵便番号
compound: 化合物 分子 化学
formula: 分子式 化学式 分子量
traditional: 繁体字 簡体字
chinese: 中国語 漢字
detect: 判定 検出 判別
pinyin: ピンイン 発音
history: 履歴 過去 推移 歴史
rain: 降水 雨量 雪
station: 観測所 測候所
trial: 治験 臨床試験 臨床
details: 詳細 詳しく
disease: 病気 がん 癌 糖尿病
repository: リポジトリ github レポジトリ
exchange: 為替 通貨 両替 レート
dollar: ドル ユーロ 円
unit: 単位 キロ マイル ポンド 摂氏
countdown: カウントダウン
email: メール
country: 国の 国名 国
risk: リスク
rating: 格付
capital: 首都
calling: 国番号 市外局番
transaction: 取引 トランザクション
wallet: ウォレット 財布
scam: 詐欺 怪しい 危険 安全
bitcoin: ビットコイン
ethereum: イーサリアム イーサ
crypto: 仮想通貨 暗号資産 暗号通貨
balance: 残高
token: トークン
fee: 手数料
mempool: メモリプール メンプール
waiting: 待ち 未承認
utxo: 未使用
candle: ローソク足
price: 価格 値段 相場
market: 市場 取引所
tvl: 預かり資産 ロック総額
blockchain: ブロックチェーン チェーン
coin: コイン 銘柄
contract: スマートコントラクト コントラクト
calldata: コールデータ 入力データ
decode: デコード 復号
defi: 分散型金融 defi
revenue: 収益
yield: 利回り
pool: プール 流動性
dex: 分散型取引所 分散型
trending: トレンド 人気 話題
ens: ens
fear: 恐怖 強欲
gas: ガス代 ガス
capitalization: 時価総額 ドミナンス
kimchi: キムチ
korea: 韓国
funding: 資金調達率 ファンディング
perpetual: 無期限
predict: 予測 次回
cron: cron クーロン クロン
jwt: jwt
signature: 署名
license: ライセンス
regex: 正規表現
version: バージョン
markdown: マークダウン markdown
domain: ドメイン
security: セキュリティ 安全
edifact: edifact
edi: edi
spf: spf
loan: ローン 返済 住宅ローン 借入
interest: 利息 金利
irr: 内部収益率 irr
investment: 投資
option: オプション
coordinates: 座標 緯度
distance: 距離 どのくらい離れ
area: 面積
invoice: 請求書 インボイス
json: json
path: パス
repair: 修復 壊れ 直し
schema: スキーマ
lock: ロック 排他
payment: 支払 決済 振込
pdf: pdf
phone: 電話
label: ラベル
product: 商品 製品
topic: トピック
delivery: 配信 配達
publish: 公開 発行 パブリッシュ
subscribe: 購読 登録
unsubscribe: 購読解除 購読をやめ 購読を解除
acknowledge: 確認応答 完了
queue: キュー
dead: 失敗した デッドレター
failed: 失敗
schedule: 予約 スケジュール 定期 毎時
vulnerability: 脆弱性
severity: 深刻度 重大度
stored: 保存した 保存済 自分の 保存して
condition: 条件
key: キー 鍵
value: 値を 値の 値
counter: カウンター
usage: 使用量 容量
export: エクスポート 書き出し
vector: ベクトル
similar: 類似 似て
redact: 黒塗り マスキング 伏せ 匿名
timezone: タイムゾーン 時差
time: 時刻 時間 何時
feed: フィード rss
robots: クローラ robots
iban: iban 口座番号
taxid: 税番号 納税者番号 付加価値税 vat 税務番号
watch: 監視 見張
webhook: ウェブフック webhook
secret: 秘密 シークレット
`;
