/** Korean words of each subject (see words.ts for their form). */
export const words = `
check: 확인 검증 검사 유효 맞는지 체크 올바른
convert: 변환 환산 바꾸 바꿔 전환
create: 만들 생성 작성
read: 읽기 읽어 읽는 판독 스캔 해독
find: 찾기 찾아 찾는
search: 검색 조회
list: 목록 리스트 순위
count: 세기 개수 몇_개 며칠 계산
compare: 비교 차이
delete: 삭제 제거 지우
erase: 모두_삭제 전부_삭제 전체_삭제 완전_삭제
everything: 모든 전부 전체
update: 수정 업데이트 변경 증가
cancel: 취소 중지 해지
status: 상태 현황
get: 가져오 불러오 다운로드
put: 저장 넣기 추가 보관 넣어
take: 꺼내 가져오 획득 잡기
return: 반환 돌려
again: 다시 재전송 재시도
send: 보내 전송 발송
extend: 연장
release: 해제 풀기
several: 여러 한꺼번에 일괄 다수
split: 분할 나누 쪼개
extract: 추출 뽑
describe: 설명 묘사
classify: 분류
sort: 정렬
run: 실행
now: 현재 지금 실시간
since: 이후 최근
near: 가까운 근처 가장_가까
change: 바뀌 변화 교체
notify: 알림 알려
call: 호출
message: 메시지
words: 단어 키워드
text: 텍스트 글 문장 본문
document: 문서
file: 파일
image: 이미지 사진 그림
word: 워드 파워포인트 엑셀
webpage: 웹페이지 웹_페이지 사이트 홈페이지
table: 표를 테이블 표_
postal: 우편_주소 우편 주소_형식 주소_쓰
format: 형식 포맷 양식
address: 주소
news: 뉴스 소식
drought: 가뭄
harvest: 농업 수확 작물
chat: 채팅 대화
model: 모델 인공지능 ai
council: 여러_모델 토론 의견
names: 인명 개체명 이름 인물
draw: 이미지_생성 그려 그리기
moderate: 혐오 유해 욕설 검열
ocr: 문자_인식 글자_인식 문자인식 ocr 글자
personal: 개인정보 개인_정보
research: 조사 리서치
screenshot: 스크린샷 캡처 화면
sentiment: 감정 감성
summarize: 요약
translate: 번역
language: 언어 영어
websearch: 웹_검색 웹검색 인터넷
question: 질문
aircraft: 항공기 비행기 헬리콥터
registration: 등록번호 등록
owner: 소유자 소유주 주인
airport: 공항
code: 코드
accident: 사고 추락
weather: 날씨 기상
hazard: 난기류 착빙 뇌우 위험_기상
forecast: 예보
bank: 은행
insured: 예금자_보호 예금보험
statement: 거래_내역서 입출금 거래명세 명세서
barcode: 바코드 qr_코드 qr코드 큐알
batch: 한_번에 일괄 배치
gene: 유전자
protein: 단백질
species: 학명 생물종 동물 식물
unemployment: 실업
inflation: 인플레 물가 임금
book: 책 도서
author: 저자 작가
brazil: 브라질
company: 회사 기업 법인 업체
match: 매칭 식별
connecticut: 코네티컷
officers: 임원 이사
sanctions: 제재
finland: 핀란드
france: 프랑스
ticker: 종목코드 티커
identifier: 식별자 식별번호 isbn
diligence: 실사 신용조사
lei: lei 법인식별
subsidiary: 자회사 모회사
isin: isin
securities: 증권 채권
industry: 업종 산업
norway: 노르웨이
poland: 폴란드
usa: 미국
registry: 등기 등록부
britain: 영국
workday: 영업일 근무일 평일
date: 날짜 일자
earnings: 실적
holiday: 공휴일 휴일
event: 캘린더 일정 달력
ipo: 공모주 상장
population: 인구
income: 소득
zip: 우편번호
compound: 화합물 분자 화학
formula: 분자식 화학식 분자량
traditional: 번체 간체
chinese: 중국어 한자
detect: 감지 판별
pinyin: 병음 발음
history: 과거 역사 내역 추이
rain: 강수 비 눈
station: 관측소
trial: 임상시험 임상
details: 상세 자세
disease: 질병 암 당뇨
repository: 저장소 깃허브 github
exchange: 환율 환전 통화
dollar: 달러 유로 원화 엔화
unit: 단위 킬로 마일 파운드 섭씨
countdown: 카운트다운
email: 이메일 메일
country: 국가 나라
risk: 위험 리스크
rating: 신용등급 등급
capital: 수도
calling: 국가번호 지역번호
transaction: 거래 트랜잭션
wallet: 지갑
scam: 사기 안전한 위험한 피싱
bitcoin: 비트코인
ethereum: 이더리움
crypto: 암호화폐 가상화폐 코인 가상자산
balance: 잔액 잔고
token: 토큰
fee: 수수료
mempool: 멤풀
waiting: 대기 미확인
utxo: 미사용
candle: 캔들 봉차트
price: 가격 시세
market: 시장 거래소
tvl: 예치금 총예치
blockchain: 블록체인 체인
coin: 코인
contract: 스마트_컨트랙트 스마트컨트랙트 스마트_계약 컨트랙트
calldata: 콜데이터 입력_데이터
decode: 디코딩 해독
defi: 디파이 탈중앙화_금융
revenue: 수익
yield: 수익률 이자율_높
pool: 풀 유동성
dex: 탈중앙화_거래소 탈중앙
trending: 인기 트렌드
ens: ens
fear: 공포 탐욕
gas: 가스비 가스
capitalization: 시가총액 도미넌스
kimchi: 김치 김프
korea: 한국
funding: 펀딩비 펀딩
perpetual: 무기한
predict: 예상 다음 예측
cron: 크론 cron
jwt: jwt
signature: 서명
license: 라이선스 라이센스
regex: 정규식 정규_표현식 정규표현식
version: 버전
markdown: 마크다운
domain: 도메인
security: 보안
edifact: edifact
edi: edi
spf: spf
loan: 대출 상환 주택담보
interest: 이자 금리
irr: 내부수익률 irr
investment: 투자
option: 옵션
coordinates: 좌표 위도
distance: 거리 얼마나_먼
area: 면적
invoice: 송장 인보이스 세금계산서 청구서
json: json 제이슨
path: 경로
repair: 고치 복구 깨진 수리
schema: 스키마
lock: 잠금 락
payment: 결제 지불 송금
pdf: pdf
phone: 전화 휴대폰
label: 라벨
product: 상품 제품
topic: 토픽 주제
delivery: 전달 배달
publish: 발행 게시
subscribe: 구독
unsubscribe: 구독_취소 구독_해지 구독_해제
acknowledge: 완료_처리 확인_응답
queue: 큐 대기열
dead: 실패한 데드
failed: 실패
schedule: 예약 스케줄 매시간 정기
vulnerability: 취약점
severity: 심각도
stored: 저장된 저장한 내
condition: 조건
key: 키 열쇠
value: 값
counter: 카운터
usage: 사용량 용량
export: 내보내
vector: 벡터
similar: 유사 비슷
redact: 가리기 마스킹 익명 숨기
timezone: 시간대 시차
time: 시간 몇_시 시각
feed: 피드 rss
robots: 크롤러 robots 로봇
iban: iban 계좌번호 계좌
taxid: 사업자번호 사업자등록번호 세금 납세 부가세 세금번호 사업자_등록번호
watch: 감시 모니터
webhook: 웹훅
secret: 비밀
`;
