-- Payments go on meanwhile.
-- contract: a program that does not know 051 asks a unique index of settlements, which they do not have by month
-- oldest: 052

alter table settlements validate constraint settlements_before_months;
