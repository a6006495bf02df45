"""Writes random inputs for the comparison with stock PHP: generate.py KIND SEED COUNT (see README.md)."""
import calendar
import random
import sys

KIND, SEED, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(SEED)
D=['2008-06-30','2000-02-29','1999-12-31','2024-3-1','+2012-01-05','-0044-03-15','08-06-30','8-6-21','5/17/2006','5/17/06','5/17','12/31/99','30.6.2008','22.12.78','30-6-2008','30 June 2008','1st jan 2010','2nd Feb','June 2008','2008 June','June 30th, 2008','Jun 30','30 Jun','20080630','2008W27','2008-W28-3','2008.197','2008-060','May-09-78','78-Dec-22','1814-MAY-17','10/Oct/2000:13:55:36 -0700','2008:08:07 18:11:31','20080701T22:35:17','20080701t223807','2008-07-01T22:35:17.02','2008-07-01T22:35:17.02Z','2008-7-1T9:3:37','2010','2024-06','sept 3','III 2004','3 IV 2004','April','mar 2003','14 III','2021-10-31','2021-03-28','2023-11-05','2022/1/2','2021/12/25/']
T=['10:00','23:59:59','00:00','4 am','4:08 am','4:08:37 pm','12am','12 p.m.','12:30 p.m.','t0408','T19:19','0408','191919','T191919','04.08','04.08.37','04:08:37.81412','2:30','02:30:00','01:30','24:00','4:08:39:12313am','3:15:30.5 PM','noon','midnight','back of 7pm','front of 5am','back of 19']
Z=['UTC','Z','EST','EDT','CEST','Europe/Berlin','America/New_York','+02:00','-0530','+2','GMT+3','(PST)','America/Argentina/Buenos_Aires','utc','Asia/Kolkata','+01:30:45','Foo','Australia/Lord_Howe','GMT-11','MSK','BST','IST','e','GMT']
R=['now','today','tomorrow','yesterday','next month','last month','+1 day','-1 day','+1 week','-2 weeks','+3 weekdays','-4 weekdays','+10 weekday','next monday','last fri','this tuesday','monday','sat','Sunday','weds','first monday of','last friday of next month','first day of','last day of next month','third tue of january 2009','eighth day','sixth month','+2 hours','-90 minutes','+36 hours','+100 sec','+500 ms','-3 msec','7 usec','1 fortnight','next year','last year','previous week','this week','next week','+1 month','-1 month','+13 months','-25 years','1 month ago','2 days ago','3 weekdays ago','ago','monday next week','sunday this week','sat last week','+1 sat','-2 sun','first sat','+2 days 3 hours','- 1 day','+-1 day','--1 day','1day','second monday of','+1week','1 decade','this weekday','next weekday','-1 weekday','last wednesday of','fifth friday of','+0 day','0 weekdays','-0 weekday','tuesdays','last day','first day','twelfth month','+1 sec','+70000 minutes','this month','wed of','noon yesterday','+2 thu','monday ago','2 tue ago']
S=[' ',' ',' ',' ','',', ','  ','T','-','\t','.']
J=['foo','x','!','99','12','1','2000','at','of','/','@5','@-3.5','@1234567890','1 2','+','st','é']

def date_string():
    n=random.choice([1,1,2,2,2,3,3,4]); parts=[]
    order=random.random()
    for k in range(n):
        parts.append(random.choice(random.choice([D,T,Z,R,R,D,T]) if random.random()>0.03 else J))
    if order<0.4:
        parts=[random.choice(D),random.choice(T)][:n]+([random.choice(Z)] if random.random()<.3 else [])+([random.choice(R)] if random.random()<.3 else [])
    s=parts[0]
    for q in parts[1:]: s+=random.choice(S)+q
    if random.random()<0.1:
        i=random.randrange(len(s)); s=s[:i]+random.choice(['','1','0','a',' ','-',':','.','/'])+s[i+1:]
    if random.random()<0.05: s=s.upper()
    return s or 'now'

ZONES=['UTC','Europe/Berlin','America/New_York','+02:00','-05:30','EST','CEST','Australia/Lord_Howe','Europe/London','Asia/Kolkata','Europe/Dublin']
def dt(z=None,near=None):
    y=random.choice([1999,2000,2001,2004,2020,2021,2021,2021,2023,1969,1600,2050,2100])
    m=random.randint(1,12); d=random.choice([1,1,28,29,30,31,random.randint(1,28)])
    d=min(d,calendar.monthrange(y,m)[1])
    if random.random()<.25: y,m,d=random.choice([(2021,3,27),(2021,3,28),(2021,3,29),(2021,10,30),(2021,10,31),(2021,11,1),(2021,11,6),(2021,11,7),(2021,3,14),(2021,3,13)])
    t=random.choice(['00:00:00','%02d:%02d:%02d'%(random.randint(0,23),random.randint(0,59),random.randint(0,59)),'02:30:00','01:30:00','%02d:00:00'%random.randint(0,23)])
    if random.random()<.1: t+='.%06d'%random.randint(0,999999)
    return '%04d-%02d-%02d %s %s'%(y,m,d,t,z or random.choice(ZONES))

def spec():
    s='P'
    for u,mx in (('Y',5),('M',20),('D',60)):
        if random.random()<.4: s+=str(random.randint(0,mx))+u
    t=''
    for u,mx in (('H',40),('M',100),('S',100)):
        if random.random()<.3: t+=str(random.randint(0,mx))+u
    if t: s+='T'+t
    return s if len(s)>1 else 'P1D'

LETTERS=list('dDjlSzmMFnyYXxgGhHaAisuvUeTPOp')+list(' #-/:;.,()!|?*+')+['\\d','k','\\','Y-m-d','H:i:s','Y-m-d H:i','d/m/Y','D, d M Y','h:i A','!Y','Y|','Y z']
VALUES=['1','01','12','31','5','99','2010','2024-02-29','10:20:30','10:20','Mon','Monday','jan','March','am','PM','p.m.','st','th','123','45','123456','1234567','-5','+12345','Europe/Berlin','EST','+02:00','Z','foo',' ','/','-',':','.',',',';','x','01/02/2010','Wed, 14 Mar 2012','07:08 PM','d','  ']
MATCHING={'d':['01','5','31','32'],'j':['1'],'D':['Mon','Friday','x'],'l':['Sunday'],'S':['st','TH','xx'],'z':['45','365','400'],'m':['02','13','1'],'n':['4'],'M':['Feb','sept'],'F':['December','foo'],'y':['99','05'],'Y':['2010','1','0000'],'X':['+2010','-0044'],'x':['99999'],'g':['5','13'],'h':['12','0'],'G':['0','23'],'H':['7','24'],'a':['am','pm','x'],'A':['PM','A.M.'],'i':['05','5','61'],'s':['59','7','60'],'u':['123','5'],'v':['12','999'],'U':['12345','-5'],'e':['Europe/Berlin','UTC','EDT','xyz'],'T':['EST'],'P':['+02:00'],'O':['-0500'],'p':['Z']}

def broken_spec():
    s = spec()
    if random.random() < .6:
        i = random.randrange(len(s))
        s = s[:i] + random.choice(['', 'P', 'T', '1', 'Y', 'W', 'D', ' ', '-', 'M', 'S', '99999999999']) + s[i + random.choice([0, 1]):]
    if random.random() < .1:
        s = 'P%04d-%02d-%02dT%02d:%02d:%02d' % tuple(random.randint(0, n) for n in (9999, 13, 32, 25, 61, 61))
    return s

def moment():
    r = random.random()
    if r < .5:
        return dt()
    if r < .9:
        return '@%d' % random.randint(-5000000000, 8000000000)
    return random.choice('-+') + '%05d-%02d-%02d %s' % (random.randint(1, 99999), random.randint(1, 12), random.randint(1, 28), random.choice(ZONES))

def pair():
    zone = random.choice(ZONES) if random.random() < .7 else None
    return dt(zone) + '\t' + dt(zone)

FIXED = {'Y-m-d': '2020-01-31', 'H:i:s': '10:11:12', 'Y-m-d H:i': '2020-02-30 10:11', 'd/m/Y': '31/12/1999', 'D, d M Y': 'Tue, 05 Mar 2013',
         'h:i A': '10:15 PM', '!Y': '2001', 'Y|': '2002', 'Y z': '2003 45', '\\d': 'd', '#': '/', '!': '', '|': '', '+': '', '?': 'x', '*': ''}

def with_format():
    pattern = text = ''
    for _ in range(random.randint(1, 5)):
        c = random.choice(LETTERS)
        pattern += c
        if c in MATCHING and random.random() < .9:
            text += random.choice(MATCHING[c])
        elif random.random() < .3:
            text += random.choice(VALUES)
        else:
            text += FIXED.get(c, c)
    return pattern + '\t' + text

MODIFIERS = ['+1 hour', '-1 hour', '+30 min', '+1 day', '-1 day', '02:30', '01:30', 'noon', '+0 sec', 'monday', 'first day of next month',
             '@1635640200', '2021-10-31', '+24 hours', '-90 minutes', 'last day of', '2021-03-28 02:30', '+1 month', 'midnight', '+3 weekdays',
             'next week', '10:00 +02:00', 'Europe/Berlin', '+1 week 2 days', '-1 usec', '12:00:00.5', 'foo', '', '@5.25', '@-1.5 +1 day']

def place():
    return '%d %.3f %.3f' % (random.randint(0, 2000000000), random.uniform(-85, 85), random.uniform(-180, 180))

MAKE = {'sun': place, 'modify': lambda: dt() + '\t' + random.choice(MODIFIERS),
        'parse': date_string, 'resolve': date_string, 'parse_format': with_format, 'format': moment, 'diff': pair,
        'add': lambda: dt() + '\t' + spec(), 'sub': lambda: dt() + '\t' + spec(), 'interval': broken_spec}
for _ in range(COUNT):
    print(MAKE[KIND]())
