"""
Room: sorting in the order that Go's `sort.Slice` leaves: it is not stable, and where equal elements end up shows in `sortBy`.

The algorithm is pattern-defeating quicksort (https://arxiv.org/abs/2106.05123) as Go's standard library has it: every choice that it makes, of a
pivot, of elements to scatter, of when to give up, is part of the result.

May touch: `values`.
"""

from __future__ import annotations

from ..values import Value

#: Up to this length a range is sorted by insertion, which keeps equal elements in their order.
_INSERTION = 12
#: From this length on the pivot is a median of medians, and nearly sorted ranges are repaired.
_LONG = 50
#: How many elements out of place are repaired, and how many swaps say that a range runs backwards.
_REPAIRS, _BACKWARDS = 5, 12
#: Beyond this length equal elements stay in their order: to follow Go there would take too long.
_LONGEST = 10_000


def sorted_by(values: tuple[Value, ...], keys: tuple[Value, ...]) -> tuple[Value, ...]:
    """Give values in the order of their keys, which are of one type with an order."""
    odd = any(key != key for key in keys)  # noqa: PLR0124 - a NaN
    if len(keys) > _LONGEST or (not odd and (len(keys) <= _INSERTION or len(set(keys)) == len(keys))):
        return tuple(values[index] for index in sorted(range(len(keys)), key=keys.__getitem__))
    order = Order(keys)
    order.sort(0, len(order.keys), len(order.keys).bit_length())
    return tuple(values[index] for index in order.places)


class Order:
    """The places of elements while they are sorted by their keys."""

    __slots__ = ("keys", "places")

    def __init__(self, keys: tuple[Value, ...]) -> None:
        """Begin with every element in its place."""
        self.keys = list(keys)
        self.places = list(range(len(keys)))

    def less(self, left: int, right: int) -> bool:
        """Compare the keys at two places."""
        found: bool = self.keys[left] < self.keys[right]
        return found

    def swap(self, left: int, right: int) -> None:
        """Swap the elements at two places."""
        keys, places = self.keys, self.places
        keys[left], keys[right] = keys[right], keys[left]
        places[left], places[right] = places[right], places[left]

    def sort(self, start: int, end: int, patience: int) -> None:
        """Sort a range; after as many bad pivots as `patience` allows, by heap."""
        balanced = partitioned = True
        while end - start > _INSERTION:
            if not patience:
                self._heap(start, end)
                return
            if not balanced:
                self._scatter(start, end)
                patience -= 1
            pivot, swaps = self._pivot(start, end)
            if swaps == _BACKWARDS:
                self._reverse(start, end)
                pivot = end - 1 - (pivot - start)
                swaps = 0
            if balanced and partitioned and not swaps and self._repair(start, end):
                return
            if start > 0 and not self.less(start - 1, pivot):
                start = self._split_equal(start, end, pivot)
                continue
            middle, partitioned = self._split(start, end, pivot)
            left, right = middle - start, end - middle
            balanced = min(left, right) >= (end - start) // 8
            if left < right:
                self.sort(start, middle, patience)
                start = middle + 1
            else:
                self.sort(middle + 1, end, patience)
                end = middle
        self._insertion(start, end)

    def _insertion(self, start: int, end: int) -> None:
        for index in range(start + 1, end):
            self._sink(index, start)

    def _sink(self, index: int, least: int) -> None:
        """Move an element left as long as it is less than its neighbour."""
        while index > least and self.less(index, index - 1):
            self.swap(index, index - 1)
            index -= 1

    def _heap(self, start: int, end: int) -> None:
        length = end - start
        for root in range((length - 1) // 2, -1, -1):
            self._sift(root, length, start)
        for last in range(length - 1, -1, -1):
            self.swap(start, start + last)
            self._sift(0, last, start)

    def _sift(self, root: int, length: int, start: int) -> None:
        """Let an element sink into the heap below it."""
        while (child := 2 * root + 1) < length:
            if child + 1 < length and self.less(start + child, start + child + 1):
                child += 1
            if not self.less(start + root, start + child):
                return
            self.swap(start + root, start + child)
            root = child

    def _reverse(self, start: int, end: int) -> None:
        for offset in range((end - start) // 2):
            self.swap(start + offset, end - 1 - offset)

    def _scatter(self, start: int, end: int) -> None:
        """Swap three elements in the middle with others that a fixed random sequence chooses."""
        length = end - start
        random = length
        middle = start + length // 4 * 2
        for place in (middle - 1, middle, middle + 1):
            random ^= random << 13 & 0xFFFF_FFFF_FFFF_FFFF
            random ^= random >> 7
            random ^= random << 17 & 0xFFFF_FFFF_FFFF_FFFF
            other = random & ((1 << length.bit_length()) - 1)
            self.swap(place, start + (other - length if other >= length else other))

    def _pivot(self, start: int, end: int) -> tuple[int, int]:
        """Choose a pivot; the swaps that this took tell whether the range is in order, or backwards."""
        quarter = (end - start) // 4
        places = [start + quarter, start + quarter * 2, start + quarter * 3]
        swaps = 0
        if end - start >= _LONG:
            for index, place in enumerate(places):
                places[index], taken = self._median(place - 1, place, place + 1)
                swaps += taken
        pivot, taken = self._median(*places)
        return pivot, swaps + taken

    def _median(self, first: int, second: int, third: int) -> tuple[int, int]:
        """Find the median of three elements, and how many swaps that took."""
        swaps = 0
        if self.less(second, first):
            first, second = second, first
            swaps += 1
        if self.less(third, second):
            second, third = third, second
            swaps += 1
        if self.less(second, first):
            first, second = second, first
            swaps += 1
        return second, swaps

    def _repair(self, start: int, end: int) -> bool:
        """Put a few elements right in a range that is nearly sorted; tell whether it then is."""
        index = start + 1
        for _ in range(_REPAIRS):
            while index < end and not self.less(index, index - 1):
                index += 1
            if index == end:
                return True
            if end - start < _LONG:
                return False
            self.swap(index, index - 1)
            if index - start >= 2:
                self._sink(index - 1, 0)
            if end - index >= 2:
                self._rise(index + 1, end)
        return False

    def _rise(self, index: int, end: int) -> None:
        """Move the element before a place right as long as it is greater than its neighbour."""
        while index < end and self.less(index, index - 1):
            self.swap(index, index - 1)
            index += 1

    def _split(self, start: int, end: int, pivot: int) -> tuple[int, bool]:
        """Put what is less than the pivot before it, and the rest after it: its place, and whether all was so already."""
        self.swap(start, pivot)
        left, right = self._between(start, start + 1, end - 1)
        done = left > right
        while left <= right:
            self.swap(left, right)
            left, right = self._between(start, left + 1, right - 1)
        self.swap(right, start)
        return right, done

    def _between(self, pivot: int, left: int, right: int) -> tuple[int, int]:
        """Skip what is on the right side of a pivot already."""
        while left <= right and self.less(left, pivot):
            left += 1
        while left <= right and not self.less(right, pivot):
            right -= 1
        return left, right

    def _split_equal(self, start: int, end: int, pivot: int) -> int:
        """Put what equals the pivot, which nothing is less than, before the rest."""
        self.swap(start, pivot)
        left, right = start + 1, end - 1
        while True:
            while left <= right and not self.less(start, left):
                left += 1
            while left <= right and self.less(start, right):
                right -= 1
            if left > right:
                return left
            self.swap(left, right)
            left, right = left + 1, right - 1
